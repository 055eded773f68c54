/* log_posteriors and best_classes: from the scores of the classes of each row to posteriors and predictions. */

#include "fused.h"
#include "kernels.h"

#include <math.h>
#include <stdlib.h>

#define BLOCK_CELLS 1024
#define CHOSEN_ROWS 128
#define FEW_CLASSES 8
#define WHOLE 16 /* cells are taken in multiples, so that none is computed apart from the others */

/* Write scores relative to the largest one of their row, and the largest ones. */
INLINE void
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

/* Write the logarithm of the sum of the exponentials of each row, which are numbers at most 0, or 0 for a row without
 * any. `term` has room for all, `total` for the rows, in multiples of WHOLE. */
INLINE void
add_up(const double *restrict relative, size_t rows, size_t classes, double *restrict term, double *restrict total,
       double *restrict log_total)
{
    const size_t cells = rows * classes, whole_rows = (rows + WHOLE - 1) / WHOLE * WHOLE;
    for (size_t i = 0; i < cells; i++) {
        term[i] = relative[i];
    }
    for (size_t i = cells; i % WHOLE > 0; i++) {
        term[i] = 0.0;
    }
    exponentials(term, 1.0, (cells + WHOLE - 1) / WHOLE * WHOLE, term);
    for (size_t i = 0; i < cells; i++) {
        term[i] = relative[i] == relative[i] ? term[i] : relative[i];
    }
    for (size_t i = 0; i < whole_rows; i++) {
        total[i] = 0.0;
    }
    for (size_t i = 0; i < rows; i++) {
        for (size_t c = 0; c < classes; c++) {
            total[i] += term[i * classes + c];
        }
    }
    for (size_t i = 0; i < whole_rows; i++) {
        total[i] = total[i] < 1.0 ? 1.0 : total[i];
    }
    logarithms(total, whole_rows, log_total);
    for (size_t i = 0; i < whole_rows; i++) {
        log_total[i] = total[i] == total[i] ? log_total[i] : total[i];
    }
}

INLINE void
subtract(double *restrict scores, size_t rows, size_t classes, const double *restrict amounts)
{
    for (size_t i = 0; i < rows; i++, scores += classes) {
        for (size_t c = 0; c < classes; c++) {
            scores[c] -= amounts[i];
        }
    }
}

/* Fill the log posteriors of a block of rows. */
INLINE void
normalise(const double *scores, size_t rows, size_t classes, double *memory, double *out, double *top)
{
    const size_t whole_rows = (rows + WHOLE - 1) / WHOLE * WHOLE;
    double *total = memory, *log_total = total + whole_rows, *term = log_total + whole_rows;
    relate(scores, rows, classes, out, top);
    add_up(out, rows, classes, term, total, log_total);
    subtract(out, rows, classes, log_total);
}

FUSED static void
normalise_fused(const double *scores, size_t rows, size_t classes, double *memory, double *out, double *top)
{
    normalise(scores, rows, classes, memory, out, top);
}

static void
normalise_plain(const double *scores, size_t rows, size_t classes, double *memory, double *out, double *top)
{
    normalise(scores, rows, classes, memory, out, top);
}

/* Fill all log posteriors and the largest scores; -1 where memory ran out. */
static int
fill_posteriors(const double *scores, size_t rows, size_t classes, double *out, double *top)
{
    const size_t most = BLOCK_CELLS / (classes + 1) + 1;
    double *memory = malloc((2 * (most + WHOLE) + most * classes + WHOLE) * sizeof *memory);
    if (memory == NULL) {
        return -1;
    }
    for (size_t first = 0; first < rows; first += most) {
        size_t count = rows - first < most ? rows - first : most, cell = first * classes;
        (FUSES ? normalise_fused : normalise_plain)(scores + cell, count, classes, memory, out + cell, top + first);
    }
    free(memory);
    return 0;
}

/* Write for each row the first class in an order that is not more than the tolerance below the best one, without
 * branches; -1 where no class has a number, or one has what is none. */
static void
choose_one_by_one(const double *scores, const size_t *order, size_t rows, size_t classes, double tolerance,
                  int64_t *out)
{
    for (size_t i = 0; i < rows; i++, scores += classes) {
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
        out[i] = good && largest > -INFINITY ? (int64_t)order[place] : -1;
    }
}

/* The same of few classes, neighbouring rows side by side. */
INLINE void
choose_together(const double *scores, const size_t *order, size_t rows, size_t classes, double tolerance,
                int64_t *restrict out)
{
    double of_class[FEW_CLASSES][CHOSEN_ROWS], largest[CHOSEN_ROWS];
    int64_t good[CHOSEN_ROWS], before[CHOSEN_ROWS], place[CHOSEN_ROWS];
    for (size_t i = 0; i < rows; i++) {
        for (size_t c = 0; c < classes; c++) {
            of_class[c][i] = scores[i * classes + order[c]];
        }
    }
    for (size_t i = 0; i < rows; i++) {
        largest[i] = -INFINITY;
        good[i] = before[i] = 1;
        place[i] = 0;
    }
    for (size_t c = 0; c < classes; c++) {
        for (size_t i = 0; i < rows; i++) {
            largest[i] = of_class[c][i] > largest[i] ? of_class[c][i] : largest[i];
            good[i] &= of_class[c][i] < INFINITY;
        }
    }
    for (size_t c = 0; c + 1 < classes; c++) {
        for (size_t i = 0; i < rows; i++) {
            before[i] &= of_class[c][i] - largest[i] < -tolerance;
            place[i] += before[i];
        }
    }
    for (size_t i = 0; i < rows; i++) {
        out[i] = good[i] && largest[i] > -INFINITY ? (int64_t)order[place[i]] : -1;
    }
}

/* Unrolled, so that the classes of a row are read at fixed places. */
DISPATCHED static void
choose_few(const double *scores, const size_t *order, size_t rows, size_t classes, double tolerance, int64_t *out)
{
#define UNROLLED(CLASSES)                                              \
    case CLASSES:                                                      \
        choose_together(scores, order, rows, CLASSES, tolerance, out); \
        break
    switch (classes) {
        UNROLLED(2);
        UNROLLED(3);
        UNROLLED(4);
        UNROLLED(5);
        UNROLLED(6);
        UNROLLED(7);
        UNROLLED(8);
    }
#undef UNROLLED
}

static void
choose(const double *scores, const size_t *order, size_t rows, size_t classes, double tolerance, int64_t *out)
{
    if (classes < 2 || classes > FEW_CLASSES) {
        choose_one_by_one(scores, order, rows, classes, tolerance, out);
        return;
    }
    for (size_t first = 0; first < rows; first += CHOSEN_ROWS) {
        const size_t count = rows - first < CHOSEN_ROWS ? rows - first : CHOSEN_ROWS;
        choose_few(scores + first * classes, order, count, classes, tolerance, out + first);
    }
}

/* log_posteriors(scores, out, top): fill both. */
PyObject *
kernel_log_posteriors(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *scores, *out, *top, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "OOO:log_posteriors", &scores, &out, &top)) {
        return NULL;
    }
    Doubles from = {.open = 0}, to = {.open = 0}, largest = {.open = 0};
    int filled;
    if (open_doubles(scores, "scores", 2, 0, &from) < 0 || open_doubles(top, "top", 1, 1, &largest) < 0 ||
        open_doubles(out, "out", 2, 1, &to) < 0) {
        goto done;
    }
    size_t rows = (size_t)from.buffer.shape[0], classes = (size_t)from.buffer.shape[1];
    if ((size_t)to.buffer.shape[0] != rows || (size_t)to.buffer.shape[1] != classes || largest.length != rows) {
        PyErr_Format(PyExc_ValueError, "out, top: expected (%zu, %zu) and (%zu,) numbers", rows, classes, rows);
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    filled = fill_posteriors(from.data, rows, classes, to.data, largest.data);
    Py_END_ALLOW_THREADS
    result = filled < 0 ? PyErr_NoMemory() : Py_NewRef(Py_None);
done:
    close_doubles(&largest);
    close_doubles(&to);
    close_doubles(&from);
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
    choose(from.data, position, rows, classes, tolerance, codes.buf);
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
