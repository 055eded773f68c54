/* The columns of queries and training rows, and the memory for the tiles and blocks of them. */

#include "distances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CELLS ((size_t)1 << 18)   /* values of queries that are loaded at a time */
#define BLOCK_BYTES ((size_t)4 << 20) /* of the training rows that are */

static int
is_floats(PyObject *object)
{
    Py_buffer buffer;
    if (PyObject_GetBuffer(object, &buffer, PyBUF_STRIDES | PyBUF_FORMAT) < 0) {
        return -1;
    }
    int answer = buffer.format != NULL && strcmp(buffer.format, "d") == 0;
    PyBuffer_Release(&buffer);
    return answer;
}

static size_t
side_length(const Side *side)
{
    return side->is_code ? side->codes.length : side->numbers.length;
}

static int
open_side(PyObject *tuple, size_t j, const char *name, Side *side)
{
    PyObject *column = PyTuple_GetItem(tuple, (Py_ssize_t)j);
    int floats = column != NULL ? is_floats(column) : -1;
    if (floats < 0) {
        return -1;
    }
    side->is_code = !floats;
    return floats ? open_doubles(column, name, 1, 0, &side->numbers) : open_integers(column, name, &side->codes);
}

static int
open_sides(PyObject *tuple, const char *name, size_t columns, Side *side, size_t *length)
{
    for (size_t j = 0; j < columns; j++) {
        if (open_side(tuple, j, name, &side[j]) < 0) {
            return -1;
        }
        if (side_length(&side[j]) != side_length(&side[0])) {
            PyErr_Format(PyExc_ValueError, "%s: column %zu has %zu rows, column 0 has %zu", name, j,
                         side_length(&side[j]), side_length(&side[0]));
            return -1;
        }
    }
    *length = side_length(&side[0]);
    return 0;
}

int
open_search(PyObject *queries, PyObject *training, PyObject *bounds, double farthest, int rescale, Search *search)
{
    memset(search, 0, sizeof *search);
    size_t columns = (size_t)PyTuple_Size(training);
    if (columns == 0 || (size_t)PyTuple_Size(queries) != columns) {
        PyErr_Format(PyExc_ValueError,
                     "queries: expected the %zu columns of the training rows, at least one, found %zd", columns,
                     PyTuple_Size(queries));
        return -1;
    }
    search->query = PyMem_Calloc(columns, sizeof *search->query);
    search->row = PyMem_Calloc(columns, sizeof *search->row);
    if (search->query == NULL || search->row == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    search->columns = columns;
    search->farthest = farthest;
    search->rescale = rescale;
    if (open_sides(queries, "queries", columns, search->query, &search->queries) < 0 ||
        open_sides(training, "training", columns, search->row, &search->rows) < 0 ||
        open_doubles(bounds, "bounds", 2, 0, &search->bounds) < 0) {
        return -1;
    }
    if ((size_t)search->bounds.buffer.shape[0] != columns || search->bounds.buffer.shape[1] != 2) {
        PyErr_Format(PyExc_ValueError, "bounds: expected two for each of %zu columns", columns);
        return -1;
    }
    search->all_codes = columns <= UINT16_MAX;
    for (size_t j = 0; j < columns; j++) {
        if (search->query[j].is_code != search->row[j].is_code) {
            PyErr_Format(PyExc_TypeError, "queries: column %zu has numbers on one side and codes on the other", j);
            return -1;
        }
        if (!search->row[j].is_code &&
            !(isfinite(search->bounds.data[2 * j]) && isfinite(search->bounds.data[2 * j + 1]))) {
            PyErr_Format(PyExc_ValueError, "bounds: those of column %zu are not finite", j);
            return -1;
        }
        search->all_codes &= search->row[j].is_code;
    }
    return 0;
}

void
close_search(Search *search)
{
    for (size_t j = 0; j < search->columns; j++) {
        close_integers(&search->query[j].codes);
        close_doubles(&search->query[j].numbers);
        close_integers(&search->row[j].codes);
        close_doubles(&search->row[j].numbers);
    }
    close_doubles(&search->bounds);
    PyMem_Free(search->query);
    PyMem_Free(search->row);
    free(search->value);
    free(search->plan.kind);
    free(search->plan.run);
    free(search->plan.one);
    free(search->plan.other);
    free(search->plan.unknown);
    free(search->plan.known);
    free(search->plan.plain);
    free(search->memory);
    free(search->width);
    free(search->gaps);
}

static uint8_t
byte_width(const Side *side)
{
    size_t bytes = (size_t)side->codes.buffer.itemsize;
    return (uint8_t)(bytes < 4 ? bytes : 4);
}

Fault
start_search(Search *search, size_t tile)
{
    size_t most_queries = MOST_CELLS / search->columns, cells;
    search->tile = tile < most_queries ? tile : most_queries > 0 ? most_queries : 1;
    cells = search->tile * search->columns;
    search->value = malloc(cells * sizeof *search->value);
    search->width = malloc(search->columns);
    search->gaps = malloc(search->columns);
    search->plan.kind = malloc(cells);
    search->plan.run = malloc(cells);
    search->plan.one = malloc(cells * sizeof *search->plan.one);
    search->plan.other = malloc(cells * sizeof *search->plan.other);
    search->plan.unknown = malloc(search->tile);
    search->plan.known = malloc(search->tile * sizeof *search->plan.known);
    search->plan.plain = malloc(search->tile);
    if (search->value == NULL || search->width == NULL || search->gaps == NULL || search->plan.kind == NULL ||
        search->plan.run == NULL || search->plan.one == NULL || search->plan.other == NULL ||
        search->plan.unknown == NULL || search->plan.known == NULL || search->plan.plain == NULL) {
        return (Fault){NO_MEMORY, 0, 0};
    }
    for (size_t j = 0; search->all_codes && j < search->columns; j++) {
        search->width[j] = byte_width(&search->row[j]);
        search->planes += search->width[j];
    }
    size_t bytes = search->all_codes ? search->planes : search->columns * sizeof(double);
    size_t whole = (search->rows + SLICE_ROWS - 1) / SLICE_ROWS, most = BLOCK_BYTES / bytes / SLICE_ROWS;
    most = most > 0 ? most : 1;
    search->block = (whole < most ? whole : most) * SLICE_ROWS;
    search->memory = calloc(search->block * bytes + LINE, 1);
    if (search->memory == NULL) {
        return (Fault){NO_MEMORY, 0, 0};
    }
    search->bytes = ALIGNED(search->memory);
    search->numbers = (double *)search->bytes;
    return (Fault){FINE, 0, 0};
}
