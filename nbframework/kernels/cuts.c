/* entropy_cuts: recursive entropy minimisation over one sorted column.
 *
 * The rows of one value and class become one entry; a part of the column is swept once, and its best boundary splits it
 * where a stop rule accepts it. Each sum runs in the order of the definition, and the logarithms are those of Python's
 * math module, so that ties fall alike.
 */

#include "cuts.h"

#include <math.h>
#include <stdlib.h>

#define MOST_KEPT 4096 /* the largest count whose x log x is kept */

/* x log x of small whole numbers, made once for all columns. */
static double kept_logs[MOST_KEPT + 1];

void
keep_logs(void)
{
    for (size_t count = 0; count <= MOST_KEPT; count++) {
        kept_logs[count] = x_log_x((double)count);
    }
}

int
check_numbers(const Column *column)
{
    for (size_t i = 0; i + 1 < column->rows; i++) {
        if (!(column->values[i] <= column->values[i + 1])) {
            PyErr_Format(PyExc_ValueError, "values: expected ascending numbers, row %zu breaks the order", i + 1);
            return -1;
        }
    }
    if (column->rows > 0 && isnan(column->values[0])) {
        PyErr_SetString(PyExc_ValueError, "values: expected numbers, row 0 is NaN");
        return -1;
    }
    for (size_t i = 0; column->weights != NULL && i < column->rows; i++) {
        if (!(column->weights[i] >= 0 && column->weights[i] <= 1.7976931348623157e308)) {
            PyErr_Format(PyExc_ValueError, "weights: expected finite numbers of at least 0, row %zu has none", i);
            return -1;
        }
    }
    return 0;
}

int
allocate_column(Column *column)
{
    size_t n = column->rows + 1, c = column->class_count + 1;
    column->mark = large_memory(n * sizeof(uint32_t));
    column->rows_of = large_memory(n * sizeof(uint32_t));
    column->amount = column->weights ? malloc(n * sizeof(double)) : NULL;
    if (column->weights == NULL) {
        column->x_log_x = column->rows <= MOST_KEPT ? kept_logs : calloc(n, sizeof(double));
    }
    column->position = malloc(3 * c * sizeof(uint32_t));
    column->scratch = malloc(7 * c * sizeof(double));
    if (!column->mark || !column->rows_of || !column->position || !column->scratch ||
        !(column->weights ? column->amount : column->x_log_x)) {
        PyErr_NoMemory();
        return -1;
    }
    column->moved = column->position + c;
    column->class_of = column->moved + c;
    column->total = column->scratch;
    column->left = column->total + c;
    column->right = column->left + c;
    column->left_log = column->right + c;
    column->right_log = column->left_log + c;
    column->cumulative = column->right_log + c;
    column->low = column->cumulative + c;
    return 0;
}

void
release_column(Column *column)
{
    free(column->mark);
    free(column->rows_of);
    free(column->amount);
    if (column->x_log_x != kept_logs) {
        free(column->x_log_x);
    }
    free(column->position);
    free(column->blocks);
    free(column->scratch);
    free(column->parts);
    free(column->borders);
    free(column->cuts);
}

/* Make the entries of the classes at `mark`, find the cuts, and release what was allocated. */
PyObject *
cut_column(Column *column)
{
    PyObject *result = NULL;
    Fault fault = {FINE, 0, 0};
    PyThreadState *state = column->rows > WORTH_RELEASING ? PyEval_SaveThread() : NULL;
    make_entries(column);
    if (column->weights == NULL && column->entry_count >= WORTH_SAMPLING) {
        fault = count_blocks(column);
    }
    if (state != NULL) {
        PyEval_RestoreThread(state);
    }
    if (fault.kind != FINE) {
        raise_fault(fault);
        goto done;
    }
    if (find_cuts(column) < 0) {
        goto done;
    }
    result = PyList_New((Py_ssize_t)column->cut_count);
    for (size_t i = 0; result != NULL && i < column->cut_count; i++) {
        PyObject *cut = PyFloat_FromDouble(column->cuts[i]);
        if (cut == NULL || PyList_SetItem(result, (Py_ssize_t)i, cut) < 0) {
            Py_CLEAR(result);
        }
    }
done:
    release_column(column);
    return result;
}

int
check_class_count(Py_ssize_t class_count)
{
    if (class_count < 0 || class_count >= INT32_MAX) {
        PyErr_Format(PyExc_ValueError, "class_count: expected 0 to %d, found %zd", INT32_MAX - 1, class_count);
        return -1;
    }
    return 0;
}

/* entropy_cuts(values, classes, class_count, weights or None, kononenko, count_boundaries, lgamma) -> list of cuts,
 * in no order. */
PyObject *
kernel_entropy_cuts(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *values, *classes, *weights, *result = NULL;
    Py_ssize_t class_count;
    Column column = {0};
    if (!PyArg_ParseTuple(arguments, "OOnOppO:entropy_cuts", &values, &classes, &class_count, &weights,
                          &column.kononenko, &column.count_boundaries, &column.lgamma)) {
        return NULL;
    }
    Doubles sorted = {.open = 0}, weight = {.open = 0};
    Integers group = {.open = 0};
    if (open_doubles(values, "values", 1, 0, &sorted) < 0 || open_integers(classes, "classes", &group) < 0 ||
        (weights != Py_None && open_doubles(weights, "weights", 1, 0, &weight) < 0) ||
        check_class_count(class_count) < 0) {
        goto done;
    }
    if (group.length != sorted.length || (weights != Py_None && weight.length != sorted.length)) {
        PyErr_Format(PyExc_ValueError, "classes and weights: expected %zu, one for each value", sorted.length);
        goto done;
    }
    if (sorted.length >= UINT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "values: expected less than 2**32 - 1 rows");
        goto done;
    }
    column.values = sorted.data;
    column.weights = weights != Py_None ? weight.data : NULL;
    column.rows = sorted.length;
    column.class_count = (size_t)class_count;
    if (check_numbers(&column) < 0) {
        goto done;
    }
    if (allocate_column(&column) < 0) {
        release_column(&column);
        goto done;
    }
    size_t good = load_codes(&group, 0, column.rows, (uint32_t)class_count, column.mark);
    if (good < column.rows) {
        raise_fault((Fault){BAD_CLASS, 0, good});
        release_column(&column);
        goto done;
    }
    result = cut_column(&column);
done:
    close_integers(&group);
    close_doubles(&weight);
    close_doubles(&sorted);
    return result;
}
