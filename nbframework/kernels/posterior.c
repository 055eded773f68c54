/* relative_scores, row_sums, subtract_rows and best_classes: what is done with the scores of the classes of each row on
 * the way to posteriors and predictions, except for exponentials and logarithms, which are left to NumPy.
 */

#include "kernels.h"

#include <math.h>

/* Fill (q, C) scores relative to the largest one of their row, and the (q,) largest ones. */
DISPATCHED static void
relate(const double *restrict scores, size_t rows, size_t classes, double *restrict out, double *restrict top)
{
    for (size_t i = 0; i < rows; i++, scores += classes, out += classes) {
        double largest = -INFINITY;
        for (size_t c = 0; c < classes; c++) {
            largest = scores[c] > largest ? scores[c] : largest;
        }
        const double shift = largest > -INFINITY ? largest : 0.0;
        for (size_t c = 0; c < classes; c++) {
            out[c] = scores[c] - shift;
        }
        top[i] = largest;
    }
}

static void
sum_up(const double *restrict terms, size_t rows, size_t classes, double *restrict sums)
{
    for (size_t i = 0; i < rows; i++, terms += classes) {
        double sum = 0.0;
        for (size_t c = 0; c < classes; c++) {
            sum += terms[c];
        }
        sums[i] = sum;
    }
}

static void
subtract(double *restrict scores, size_t rows, size_t classes, const double *restrict amounts)
{
    for (size_t i = 0; i < rows; i++, scores += classes) {
        for (size_t c = 0; c < classes; c++) {
            scores[c] -= amounts[i];
        }
    }
}

/* The place of the first class in an order that is not more than the tolerance below the best one, without branches;
 * -1 where no class has a number, or one has what is none. */
static inline int64_t
first_of_best(const double *scores, const size_t *order, size_t classes, double tolerance)
{
    double largest = -INFINITY;
    int good = 1;
    for (size_t c = 0; c < classes; c++) {
        largest = scores[c] > largest ? scores[c] : largest;
        good &= scores[c] < INFINITY;
    }
    size_t place = 0, before = 1;
    for (size_t c = 0; c + 1 < classes; c++) {
        /* the difference of close numbers is exact, however large they are */
        before &= scores[order[c]] - largest < -tolerance;
        place += before;
    }
    return good && largest > -INFINITY ? (int64_t)order[place] : -1;
}

/* Open (q, C) scores and one number for each row. */
static int
open_both(PyObject *first, int first_writable, PyObject *second, int second_writable, Doubles *scores, Doubles *numbers)
{
    if (open_doubles(first, "scores", 2, first_writable, scores) < 0 ||
        open_doubles(second, "numbers", 1, second_writable, numbers) < 0) {
        return -1;
    }
    if (numbers->length != (size_t)scores->buffer.shape[0]) {
        PyErr_Format(PyExc_ValueError, "numbers: expected %zd, one for each row, found %zu", scores->buffer.shape[0],
                     numbers->length);
        return -1;
    }
    return 0;
}

/* relative_scores(scores, out, top): fill both. */
PyObject *
kernel_relative_scores(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *scores, *out, *top, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "OOO:relative_scores", &scores, &out, &top)) {
        return NULL;
    }
    Doubles from = {.open = 0}, to = {.open = 0}, largest = {.open = 0};
    if (open_both(scores, 0, top, 1, &from, &largest) < 0 || open_doubles(out, "out", 2, 1, &to) < 0) {
        goto done;
    }
    size_t rows = (size_t)from.buffer.shape[0], classes = (size_t)from.buffer.shape[1];
    if ((size_t)to.buffer.shape[0] != rows || (size_t)to.buffer.shape[1] != classes) {
        PyErr_Format(PyExc_ValueError, "out: expected (%zu, %zu) numbers", rows, classes);
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    relate(from.data, rows, classes, to.data, largest.data);
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    close_doubles(&largest);
    close_doubles(&to);
    close_doubles(&from);
    return result;
}

/* row_sums(terms, sums): fill the sums. */
PyObject *
kernel_row_sums(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *terms, *sums, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "OO:row_sums", &terms, &sums)) {
        return NULL;
    }
    Doubles from = {.open = 0}, to = {.open = 0};
    if (open_both(terms, 0, sums, 1, &from, &to) == 0) {
        Py_BEGIN_ALLOW_THREADS
        sum_up(from.data, to.length, (size_t)from.buffer.shape[1], to.data);
        Py_END_ALLOW_THREADS
        result = Py_NewRef(Py_None);
    }
    close_doubles(&to);
    close_doubles(&from);
    return result;
}

/* subtract_rows(scores, amounts): subtract in place. */
PyObject *
kernel_subtract_rows(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *scores, *amounts, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "OO:subtract_rows", &scores, &amounts)) {
        return NULL;
    }
    Doubles to = {.open = 0}, amount = {.open = 0};
    if (open_both(scores, 1, amounts, 0, &to, &amount) == 0) {
        Py_BEGIN_ALLOW_THREADS
        subtract(to.data, amount.length, (size_t)to.buffer.shape[1], amount.data);
        Py_END_ALLOW_THREADS
        result = Py_NewRef(Py_None);
    }
    close_doubles(&amount);
    close_doubles(&to);
    return result;
}

/* best_classes(scores, order, tolerance, out): fill the codes. */
PyObject *
kernel_best_classes(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *scores, *order, *out, *result = NULL;
    double tolerance;
    if (!PyArg_ParseTuple(arguments, "OOdO:best_classes", &scores, &order, &tolerance, &out)) {
        return NULL;
    }
    Doubles from = {.open = 0};
    Integers places = {.open = 0};
    Py_buffer codes = {.obj = NULL};
    size_t *position = NULL;
    if (open_doubles(scores, "scores", 2, 0, &from) < 0 || open_integers(order, "order", &places) < 0 ||
        PyObject_GetBuffer(out, &codes, PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS) < 0) {
        goto done;
    }
    size_t rows = (size_t)from.buffer.shape[0], classes = (size_t)from.buffer.shape[1];
    if (codes.itemsize != (Py_ssize_t)sizeof(int64_t) || (size_t)codes.len != rows * sizeof(int64_t)) {
        PyErr_Format(PyExc_ValueError, "out: expected %zu integers of 8 bytes", rows);
        goto done;
    }
    position = PyMem_Malloc((classes + 1) * sizeof *position);
    if (position == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    if (places.length != classes || classes == 0 || load_rows(&places, 0, classes, classes, position) < classes) {
        PyErr_Format(PyExc_ValueError, "order: expected the numbers of the %zu classes, at least one", classes);
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    for (size_t i = 0; i < rows; i++) {
        ((int64_t *)codes.buf)[i] = first_of_best(from.data + i * classes, position, classes, tolerance);
    }
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    PyMem_Free(position);
    if (codes.obj != NULL) {
        PyBuffer_Release(&codes);
    }
    close_integers(&places);
    close_doubles(&from);
    return result;
}
