/* What class_counts and pair_counts are given: opened, checked, counted, closed. */

#include "tables.h"

static int
check_lengths(const Table *table)
{
    size_t rows = table->classes.length, length = table->rows != NULL ? table->rows->length : table->length;
    if (table->weights != NULL && table->given_weights.length != rows) {
        PyErr_Format(PyExc_ValueError, "weights: expected %zu, one for each row, found %zu", rows,
                     table->given_weights.length);
        return -1;
    }
    if ((table->rows != NULL || table->column_count > 0) && length != rows) {
        PyErr_Format(PyExc_ValueError, "classes: expected %zu, one for each row, found %zu", length, rows);
        return -1;
    }
    return 0;
}

static int
open_table(PyObject **given, const char *name, int dimensions, Table *table)
{
    PyObject *columns = given[0], *offset = given[1], *classes = given[2], *weights = given[3], *rows = given[4];
    if (open_doubles(given[5], name, dimensions, 1, &table->out) < 0 ||
        open_integers(classes, "classes", &table->classes) < 0 ||
        (weights != Py_None && open_doubles(weights, "weights", 1, 0, &table->given_weights) < 0) ||
        (rows != Py_None && open_integers(rows, "rows", &table->given_rows) < 0)) {
        return -1;
    }
    const Py_ssize_t *shape = table->out.buffer.shape;
    table->class_count = (size_t)shape[0];
    table->width = (size_t)shape[1];
    table->cells = table->out.data;
    table->weights = weights != Py_None ? table->given_weights.data : NULL;
    table->rows = rows != Py_None ? &table->given_rows : NULL;
    if (shape[dimensions - 1] != shape[1]) {
        PyErr_Format(PyExc_ValueError, "%s: expected %zd cells in both directions, found %zd", name, shape[1],
                     shape[dimensions - 1]);
        return -1;
    }
    table->columns = open_columns(columns, &table->column_count, &table->length);
    if (table->columns == NULL) {
        return -1;
    }
    table->offset = read_offset(offset, table->column_count, table->width);
    if (table->offset == NULL || check_lengths(table) < 0) {
        return -1;
    }
    table->length = table->column_count > 0 ? table->length : SIZE_MAX; /* without columns no row is out of place */
    return 0;
}

static void
close_table(Table *table)
{
    PyMem_Free(table->offset);
    close_columns(table->columns, table->column_count);
    close_integers(&table->given_rows);
    close_doubles(&table->given_weights);
    close_integers(&table->classes);
    close_doubles(&table->out);
}

PyObject *
count_into_table(PyObject *arguments, const char *format, const char *name, int dimensions,
                 Fault (*count)(const Table *table))
{
    PyObject *given[6], *result = NULL;
    if (!PyArg_ParseTuple(arguments, format, &PyTuple_Type, &given[0], &given[1], &given[2], &given[3], &given[4],
                          &given[5])) {
        return NULL;
    }
    Table table = {0};
    if (open_table(given, name, dimensions, &table) == 0) {
        Fault fault;
        Py_BEGIN_ALLOW_THREADS
        fault = count(&table);
        Py_END_ALLOW_THREADS
        result = none_or_raise(fault);
    }
    close_table(&table);
    return result;
}
