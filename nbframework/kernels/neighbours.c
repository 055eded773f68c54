/* nearest_rows: the k rows nearest to each query, and all that are as far away as the k-th. */

#include "distances.h"
#include "neighbours.h"

static int
search_slice(const Search *search, size_t query, size_t offset, void *context)
{
    Selection *selection = context;
    size_t rows = search->loaded - offset < SLICE_ROWS ? search->loaded - offset : SLICE_ROWS;
    size_t first = search->first + offset;
    if (selection->tallies) {
        _Alignas(LINE) uint8_t mismatches[SLICE_ROWS];
        count_slice_bytes(search, query, offset, mismatches);
        return add_bytes(selection, query, mismatches, first, rows);
    }
    if (search->all_codes) {
        _Alignas(LINE) uint16_t count[SLICE_ROWS];
        count_slice(search, query, offset, count);
        return add_counts(selection, query, count, first, rows);
    }
    _Alignas(LINE) double distance[SLICE_ROWS];
    measure_slice(search, query, offset, distance);
    return add_distances(selection, query, distance, first, rows);
}

static Fault
search_tile(Selection *selection, size_t first, size_t count, void *context)
{
    return visit_slices(context, first, count, search_slice, selection);
}

/* nearest_rows(queries, training, bounds, farthest, rescale, k, tolerance, left_out or None). */
PyObject *
kernel_nearest_rows(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *queries, *training, *bounds, *left_out, *result = NULL;
    double farthest, tolerance;
    int rescale;
    Py_ssize_t k;
    if (!PyArg_ParseTuple(arguments, "O!O!OdpndO:nearest_rows", &PyTuple_Type, &queries, &PyTuple_Type, &training,
                          &bounds, &farthest, &rescale, &k, &tolerance, &left_out)) {
        return NULL;
    }
    Search search;
    Selection selection = {0};
    if (open_search(queries, training, bounds, farthest, rescale, &search) == 0 &&
        open_selection(k, tolerance, left_out, search.queries, search.rows, search.all_codes ? search.columns : 0,
                       &selection) == 0) {
        Fault fault = start_search(&search, selection.tile);
        selection.tile = search.tile;
        result = fault.kind == FINE ? select_in_tiles(&selection, search_tile, &search) : raise_fault(fault);
    }
    close_selection(&selection);
    close_search(&search);
    return result;
}
