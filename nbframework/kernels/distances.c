/* squared_distances: the distances of all queries to all training rows. */

#include "distances.h"

#include <string.h>

/* The result: (queries, rows) doubles, bytes or pairs of bytes; and the first query of the tile at hand. */
typedef struct {
    Py_buffer buffer;
    int open;
    size_t first;
} Table;

static int
open_table(PyObject *object, const Search *search, Table *table)
{
    if (PyObject_GetBuffer(object, &table->buffer, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | PyBUF_WRITABLE) < 0) {
        return -1;
    }
    table->open = 1;
    const Py_buffer *buffer = &table->buffer;
    if (buffer->ndim != 2 || (size_t)buffer->shape[0] != search->queries || (size_t)buffer->shape[1] != search->rows) {
        PyErr_Format(PyExc_ValueError, "out: expected (%zu, %zu) distances", search->queries, search->rows);
        return -1;
    }
    const char *expected = !search->all_codes ? "d" : search->columns <= UINT8_MAX ? "B" : "H";
    if (buffer->format == NULL || strcmp(buffer->format, expected) != 0 ||
        (uintptr_t)buffer->buf % (size_t)buffer->itemsize != 0) {
        PyErr_Format(PyExc_TypeError, "out: expected the format %s", expected);
        return -1;
    }
    return 0;
}

static int
write_slice(const Search *search, size_t query, size_t offset, void *context)
{
    const Table *table = context;
    size_t rows = search->loaded - offset < SLICE_ROWS ? search->loaded - offset : SLICE_ROWS;
    size_t place = (table->first + query) * search->rows + search->first + offset;
    if (!search->all_codes) {
        double distance[SLICE_ROWS];
        measure_slice(search, query, offset, distance);
        memcpy((double *)table->buffer.buf + place, distance, rows * sizeof *distance);
        return 0;
    }
    uint16_t count[SLICE_ROWS];
    count_slice(search, query, offset, count);
    if (table->buffer.itemsize == 2) {
        memcpy((uint16_t *)table->buffer.buf + place, count, rows * sizeof *count);
        return 0;
    }
    uint8_t *to = (uint8_t *)table->buffer.buf + place;
    for (size_t r = 0; r < rows; r++) {
        to[r] = (uint8_t)count[r];
    }
    return 0;
}

static Fault
write_distances(Search *search, Table *table)
{
    Fault fault = start_search(search, SLICE_ROWS);
    for (table->first = 0; fault.kind == FINE && table->first < search->queries; table->first += search->tile) {
        size_t left = search->queries - table->first, count = left < search->tile ? left : search->tile;
        fault = visit_slices(search, table->first, count, write_slice, table);
    }
    return fault;
}

/* squared_distances(queries, training, bounds, farthest, rescale, out): fills the distances. */
PyObject *
kernel_squared_distances(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *queries, *training, *bounds, *out, *result = NULL;
    double farthest;
    int rescale;
    if (!PyArg_ParseTuple(arguments, "O!O!OdpO:squared_distances", &PyTuple_Type, &queries, &PyTuple_Type, &training,
                          &bounds, &farthest, &rescale, &out)) {
        return NULL;
    }
    Search search;
    Table table = {.open = 0};
    Fault fault;
    if (open_search(queries, training, bounds, farthest, rescale, &search) < 0 ||
        open_table(out, &search, &table) < 0) {
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    fault = write_distances(&search, &table);
    Py_END_ALLOW_THREADS
    result = none_or_raise(fault);
done:
    if (table.open) {
        PyBuffer_Release(&table.buffer);
    }
    close_search(&search);
    return result;
}
