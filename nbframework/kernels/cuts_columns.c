/* column_cuts: the cuts of several columns of the same rows, each with an order of its own. */

#include "cuts.h"

#include <stdlib.h>
#include <string.h>

#define PLACES 512 /* row numbers that are copied at a time */

/* The rows of a data set: their classes, as bytes where they are given so, and how often each is looked at, which is
 * once where `times` is NULL. */
typedef struct {
    size_t count;
    Integers group;
    const uint8_t *small;
    uint32_t *classes;
    uint32_t *times;
} RowSet;

/* Copy codes to memory of their own; NULL with an exception. */
static uint32_t *
copied_codes(const Integers *array, size_t *good)
{
    uint32_t *copy = malloc((array->length + 1) * sizeof(uint32_t));
    if (copy == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    *good = load_codes(array, 0, array->length, (uint32_t)1 << 31, copy);
    return copy;
}

static int
open_classes(PyObject *classes, RowSet *rows)
{
    if (open_integers(classes, "classes", &rows->group) < 0) {
        return -1;
    }
    rows->count = rows->group.length;
    rows->small = dense_bytes(&rows->group, 0);
    size_t good = rows->count;
    if (rows->small == NULL && (rows->classes = copied_codes(&rows->group, &good)) == NULL) {
        return -1;
    }
    if (good < rows->count) {
        raise_fault((Fault){BAD_CLASS, 0, good});
        return -1;
    }
    return 0;
}

static int
read_times(PyObject *times, RowSet *rows)
{
    int status = -1;
    Integers often = {.open = 0};
    size_t good = 0;
    if (times == Py_None) {
        return 0;
    }
    if (open_integers(times, "times", &often) < 0) {
        return -1;
    }
    if (often.length != rows->count) {
        PyErr_Format(PyExc_ValueError, "times: expected %zu, one for each row, found %zu", rows->count, often.length);
    } else if ((rows->times = copied_codes(&often, &good)) != NULL) {
        status = good < rows->count ? -1 : 0;
        if (status < 0) {
            PyErr_Format(PyExc_ValueError, "times: expected numbers of at least 0, row %zu has none", good);
        }
    }
    close_integers(&often);
    return status;
}

static void
close_rows(RowSet *rows)
{
    free(rows->times);
    free(rows->classes);
    close_integers(&rows->group);
}

/* Copy some row numbers, so that not even an order that changes meanwhile leads outside the columns; -1 with an
 * exception where one of them is no row. */
static int
copy_places(const Integers *order, size_t start, size_t count, size_t rows, size_t *places)
{
    const size_t *dense = dense_rows(order);
    size_t good = 0;
    if (dense == NULL) {
        good = load_rows(order, start, count, rows, places);
    } else {
        memcpy(places, dense + start, count * sizeof *places);
        while (good < count && places[good] < rows) {
            good++;
        }
    }
    if (good < count) {
        PyErr_Format(PyExc_ValueError, "order: expected rows from 0 to %zd", (Py_ssize_t)rows - 1);
        return -1;
    }
    return 0;
}

/* How many values a column gives, or -1 with an exception. */
static int64_t
count_values(const RowSet *rows, const Integers *order)
{
    size_t places[PLACES];
    int64_t values = 0;
    if (order->length > rows->count || order->length >= UINT32_MAX) {
        PyErr_Format(PyExc_ValueError, "order: expected at most %zu rows, found %zu", rows->count, order->length);
        return -1;
    }
    if (rows->times == NULL) {
        return (int64_t)order->length;
    }
    for (size_t start = 0; start < order->length; start += PLACES) {
        size_t left = order->length - start, count = left < PLACES ? left : PLACES;
        if (copy_places(order, start, count, rows->count, places) < 0) {
            return -1;
        }
        for (size_t i = 0; i < count; i++) {
            values += rows->times[places[i]];
        }
    }
    if (values >= UINT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "times: expected less than 2**32 - 1 rows together");
        return -1;
    }
    return values;
}

/* Write the values and classes of some rows, each once; returns the largest class. */
static uint32_t
gather_once(const size_t *restrict places, size_t count, const uint8_t *restrict classes, const double *restrict from,
            double *restrict sorted, uint32_t *restrict mark)
{
    uint32_t largest = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t class = classes[places[i]];
        largest = class > largest ? class : largest;
        sorted[i] = from[places[i]];
        mark[i] = class;
    }
    return largest;
}

/* Write the values of some rows behind the first n, and their classes to `mark`; returns how many there are then, or
 * -1 with an exception. */
static int64_t
gather_places(Column *column, const RowSet *rows, const size_t *places, size_t count, const double *from, size_t n,
              double *sorted)
{
    const uint32_t class_count = (uint32_t)column->class_count;
    if (rows->times == NULL && rows->small != NULL && count <= column->rows - n &&
        gather_once(places, count, rows->small, from, sorted + n, column->mark + n) < class_count) {
        return (int64_t)(n + count);
    }
    for (size_t i = 0; i < count; i++) {
        const size_t row = places[i];
        const uint32_t times = rows->times ? rows->times[row] : 1;
        const uint32_t class = rows->small ? rows->small[row] : rows->classes[row];
        if (times > 0 && class >= class_count) {
            raise_fault((Fault){BAD_CLASS, 0, row});
            return -1;
        }
        if (times > column->rows - n) {
            PyErr_SetString(PyExc_ValueError, "order: it changed while it was read");
            return -1;
        }
        for (uint32_t t = 0; t < times; t++) {
            sorted[n] = from[row];
            column->mark[n++] = class;
        }
    }
    return (int64_t)n;
}

/* Write the values in order, and their classes to `mark`; -1 with an exception. */
static int
gather_column(Column *column, const RowSet *rows, const Integers *order, const double *from, double *sorted)
{
    size_t places[PLACES];
    int64_t n = 0;
    for (size_t start = 0; start < order->length; start += PLACES) {
        size_t left = order->length - start, count = left < PLACES ? left : PLACES;
        if (copy_places(order, start, count, rows->count, places) < 0) {
            return -1;
        }
        n = gather_places(column, rows, places, count, from, (size_t)n, sorted);
        if (n < 0) {
            return -1;
        }
    }
    column->rows = (size_t)n;
    column->values = sorted;
    return check_numbers(column);
}

/* The cuts of one column as a list; NULL with an exception. */
static PyObject *
ordered_cuts(const Column *options, const RowSet *rows, PyObject *values, PyObject *order)
{
    PyObject *result = NULL;
    Column column = *options;
    Doubles from = {.open = 0};
    Integers given = {.open = 0};
    double *sorted = NULL;
    if (open_doubles(values, "values", 1, 0, &from) < 0 || open_integers(order, "order", &given) < 0) {
        goto done;
    }
    if (from.length != rows->count) {
        PyErr_Format(PyExc_ValueError, "values: expected %zu, one for each row, found %zu", rows->count, from.length);
        goto done;
    }
    int64_t count = count_values(rows, &given);
    if (count < 0) {
        goto done;
    }
    column.rows = (size_t)count;
    sorted = large_memory((column.rows + 1) * sizeof(double));
    if (sorted == NULL) {
        PyErr_NoMemory();
    } else if (allocate_column(&column) < 0 || gather_column(&column, rows, &given, from.data, sorted) < 0) {
        release_column(&column);
    } else {
        result = cut_column(&column);
    }
done:
    free(sorted);
    close_integers(&given);
    close_doubles(&from);
    return result;
}

/* column_cuts(columns, orders, times or None, classes, class_count, kononenko, count_boundaries, lgamma) -> a list of
 * cuts, in no order, for each column. */
PyObject *
kernel_column_cuts(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *columns, *orders, *times, *classes, *result = NULL;
    Py_ssize_t class_count;
    Column options = {0};
    RowSet rows = {0};
    if (!PyArg_ParseTuple(arguments, "O!O!OOnppO:column_cuts", &PyTuple_Type, &columns, &PyTuple_Type, &orders, &times,
                          &classes, &class_count, &options.kononenko, &options.count_boundaries, &options.lgamma) ||
        check_class_count(class_count) < 0) {
        return NULL;
    }
    Py_ssize_t count = PyTuple_Size(columns);
    if (PyTuple_Size(orders) != count) {
        PyErr_Format(PyExc_ValueError, "orders: expected %zd, one for each column", count);
        return NULL;
    }
    options.class_count = (size_t)class_count;
    if (open_classes(classes, &rows) == 0 && read_times(times, &rows) == 0) {
        result = PyList_New(count);
    }
    for (Py_ssize_t j = 0; result != NULL && j < count; j++) {
        PyObject *cuts = ordered_cuts(&options, &rows, PyTuple_GetItem(columns, j), PyTuple_GetItem(orders, j));
        if (cuts == NULL || PyList_SetItem(result, j, cuts) < 0) {
            Py_CLEAR(result);
        }
    }
    close_rows(&rows);
    return result;
}
