/* smallest: the k smallest distances of each query, and all that equal the k-th, from a table of them. */

#include "distances.h"
#include "neighbours.h"

#include <string.h>

/* A table of doubles whose rows are dense. */
typedef struct {
    Py_buffer buffer;
    int open;
    size_t queries;
    size_t rows;
} Table;

static int
open_table(PyObject *object, Table *table)
{
    if (PyObject_GetBuffer(object, &table->buffer, PyBUF_STRIDES | PyBUF_FORMAT) < 0) {
        return -1;
    }
    table->open = 1;
    const Py_buffer *buffer = &table->buffer;
    if (buffer->format == NULL || strcmp(buffer->format, "d") != 0 ||
        (uintptr_t)buffer->buf % sizeof(double) != 0) {
        PyErr_SetString(PyExc_TypeError, "distance: expected native float64");
        return -1;
    }
    if (buffer->ndim != 2) {
        PyErr_Format(PyExc_ValueError, "distance: expected two dimensions, found %d", buffer->ndim);
        return -1;
    }
    table->queries = (size_t)buffer->shape[0];
    table->rows = (size_t)buffer->shape[1];
    if ((table->rows > 1 && buffer->strides[1] != (Py_ssize_t)sizeof(double)) ||
        buffer->strides[0] % (Py_ssize_t)sizeof(double) != 0) {
        PyErr_SetString(PyExc_ValueError, "distance: expected the distances of a query side by side");
        return -1;
    }
    return 0;
}

static Fault
select_tile(Selection *selection, size_t first, size_t count, void *context)
{
    const Table *table = context;
    double last[SLICE_ROWS];
    for (size_t q = 0; q < count; q++) {
        const char *line = (const char *)table->buffer.buf + (ptrdiff_t)(first + q) * table->buffer.strides[0];
        for (size_t row = 0; row < table->rows; row += SLICE_ROWS) {
            size_t rows = table->rows - row < SLICE_ROWS ? table->rows - row : SLICE_ROWS;
            const double *near = (const double *)line + row;
            if (rows < SLICE_ROWS) {
                memset(last, 0, sizeof last);
                near = memcpy(last, near, rows * sizeof *near);
            }
            if (add_distances(selection, q, near, row, rows) < 0) {
                return (Fault){NO_MEMORY, 0, 0};
            }
        }
    }
    return (Fault){FINE, 0, 0};
}

/* smallest(distance, k, tolerance, left_out or None). */
PyObject *
kernel_smallest(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *distance, *left_out, *result = NULL;
    double tolerance;
    Py_ssize_t k;
    if (!PyArg_ParseTuple(arguments, "OndO:smallest", &distance, &k, &tolerance, &left_out)) {
        return NULL;
    }
    Table table = {.open = 0};
    Selection selection = {0};
    if (open_table(distance, &table) == 0 &&
        open_selection(k, tolerance, left_out, table.queries, table.rows, 0, &selection) == 0) {
        result = select_in_tiles(&selection, select_tile, &table);
    }
    close_selection(&selection);
    if (table.open) {
        PyBuffer_Release(&table.buffer);
    }
    return result;
}
