/* Selection in tiles of queries: its arguments, its memory, and what was found. */

#include "neighbours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SPARE 128 /* candidates at least that there is memory for besides the k nearest */
#define TILE_BYTES ((size_t)4 << 20)

/* --- arguments and memory --------------------------------------------------------------------------------------- */

static int
allocate(Selection *selection, size_t columns)
{
    /* mismatches are whole numbers, so that a small tolerance does not matter */
    selection->tallies = columns > 0 && columns < UINT8_MAX && selection->tolerance * (double)columns < 1.0;
    size_t spare = 3 * selection->k > SPARE ? 3 * selection->k : SPARE;
    size_t rows = selection->rows, least = selection->k < rows ? selection->k : rows;
    size_t capacity = least + (spare < rows ? spare : rows) + 2 * GROUP;
    size_t tile = TILE_BYTES / (capacity * (sizeof(double) + sizeof(size_t)));
    selection->tile = tile < 1 ? 1 : tile < MOST_QUERIES ? tile : MOST_QUERIES;
    selection->candidates = calloc(MOST_QUERIES, sizeof *selection->candidates);
    for (size_t q = 0; selection->candidates != NULL && q < selection->tile; q++) {
        Candidates *candidates = &selection->candidates[q];
        candidates->capacity = capacity;
        candidates->near = malloc(capacity * sizeof *candidates->near);
        candidates->row = malloc(capacity * sizeof *candidates->row);
        candidates->tally = malloc((selection->tallies ? UINT8_MAX + 1 : 1) * sizeof *candidates->tally);
        if (candidates->near == NULL || candidates->row == NULL || candidates->tally == NULL) {
            return -1;
        }
    }
    return selection->candidates != NULL ? 0 : -1;
}

int
open_selection(Py_ssize_t k, double tolerance, PyObject *left_out, size_t queries, size_t rows, size_t columns,
               Selection *selection)
{
    if (k < 1) {
        PyErr_Format(PyExc_ValueError, "k: expected at least 1, found %zd", k);
        return -1;
    }
    if (!(tolerance >= 0.0 && isfinite(tolerance))) {
        PyErr_SetString(PyExc_ValueError, "tolerance: expected a finite number of at least 0");
        return -1;
    }
    selection->k = (size_t)k;
    selection->tolerance = tolerance;
    selection->queries = queries;
    selection->rows = rows;
    if (left_out != Py_None && open_integers(left_out, "left_out", &selection->given) < 0) {
        return -1;
    }
    if (selection->given.open && selection->given.length != queries) {
        PyErr_Format(PyExc_ValueError, "left_out: expected %zu, one for each query, found %zu", queries,
                     selection->given.length);
        return -1;
    }
    if (allocate(selection, columns) < 0) {
        PyErr_NoMemory();
        return -1;
    }
    return 0;
}

void
close_selection(Selection *selection)
{
    for (size_t q = 0; selection->candidates != NULL && q < MOST_QUERIES; q++) {
        free(selection->candidates[q].near);
        free(selection->candidates[q].row);
        free(selection->candidates[q].tally);
    }
    free(selection->candidates);
    free(selection->scratch);
    free(selection->row_scratch);
    close_integers(&selection->given);
}

/* --- tiles ------------------------------------------------------------------------------------------------------ */

static Fault
start_tile(Selection *selection, size_t first, size_t count)
{
    for (size_t q = 0; q < count; q++) {
        selection->candidates[q].count = 0;
        selection->candidates[q].limit = selection->tallies ? UINT8_MAX : INFINITY;
        selection->candidates[q].within = 0;
        if (selection->tallies) {
            memset(selection->candidates[q].tally, 0, (UINT8_MAX + 1) * sizeof *selection->candidates[q].tally);
        }
        selection->left_out[q] = SIZE_MAX;
    }
    if (selection->given.open) {
        size_t good = load_optional_rows(&selection->given, first, count, selection->rows, selection->left_out);
        if (good < count) {
            return (Fault){BAD_LEFT_OUT, 0, first + good};
        }
    }
    return (Fault){FINE, 0, 0};
}

static Fault
end_tile(Selection *selection, size_t count)
{
    for (size_t q = 0; q < count; q++) {
        if (selection->tallies) {
            drop_beyond_limit(&selection->candidates[q]);
        } else if (compact(selection, &selection->candidates[q]) < 0) {
            return (Fault){NO_MEMORY, 0, 0};
        }
        if (sort_candidates(selection, &selection->candidates[q]) < 0) {
            return (Fault){NO_MEMORY, 0, 0};
        }
    }
    return (Fault){FINE, 0, 0};
}

/* --- results ---------------------------------------------------------------------------------------------------- */

/* Byte arrays that grow, with the interpreter lock held. */
typedef struct {
    PyObject *start;
    PyObject *row;
    PyObject *near;
} Found;

static int
open_found(size_t queries, Found *found)
{
    size_t zero = 0;
    found->start = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)((queries + 1) * sizeof(size_t)));
    found->row = PyByteArray_FromStringAndSize(NULL, 0);
    found->near = PyByteArray_FromStringAndSize(NULL, 0);
    if (found->start == NULL || found->row == NULL || found->near == NULL) {
        return -1;
    }
    memcpy(PyByteArray_AsString(found->start), &zero, sizeof zero);
    return 0;
}

static void
close_found(Found *found)
{
    Py_XDECREF(found->start);
    Py_XDECREF(found->row);
    Py_XDECREF(found->near);
}

static int
append_tile(const Selection *selection, size_t first, size_t count, Found *found)
{
    size_t old = (size_t)PyByteArray_Size(found->row) / sizeof(size_t), total = old;
    for (size_t q = 0; q < count; q++) {
        total += selection->candidates[q].count;
        memcpy(PyByteArray_AsString(found->start) + (first + q + 1) * sizeof total, &total, sizeof total);
    }
    if (PyByteArray_Resize(found->row, (Py_ssize_t)(total * sizeof(size_t))) < 0 ||
        PyByteArray_Resize(found->near, (Py_ssize_t)(total * sizeof(double))) < 0) {
        return -1;
    }
    char *row = PyByteArray_AsString(found->row) + old * sizeof(size_t);
    char *near = PyByteArray_AsString(found->near) + old * sizeof(double);
    for (size_t q = 0; q < count; q++) {
        const Candidates *candidates = &selection->candidates[q];
        memcpy(row, candidates->row, candidates->count * sizeof(size_t));
        memcpy(near, candidates->near, candidates->count * sizeof(double));
        row += candidates->count * sizeof(size_t);
        near += candidates->count * sizeof(double);
    }
    return 0;
}

PyObject *
select_in_tiles(Selection *selection, TileVisitor add, void *context)
{
    PyObject *result = NULL;
    Found found = {NULL, NULL, NULL};
    Fault fault = {FINE, 0, 0};
    int status = open_found(selection->queries, &found);
    for (size_t first = 0; status == 0 && fault.kind == FINE && first < selection->queries; first += selection->tile) {
        size_t left = selection->queries - first, count = left < selection->tile ? left : selection->tile;
        Py_BEGIN_ALLOW_THREADS
        fault = start_tile(selection, first, count);
        if (fault.kind == FINE) {
            fault = add(selection, first, count, context);
        }
        if (fault.kind == FINE) {
            fault = end_tile(selection, count);
        }
        Py_END_ALLOW_THREADS
        if (fault.kind == FINE) {
            status = append_tile(selection, first, count, &found);
        }
    }
    if (fault.kind != FINE) {
        raise_fault(fault);
    } else if (status == 0) {
        result = PyTuple_Pack(3, found.start, found.row, found.near);
    }
    close_found(&found);
    return result;
}
