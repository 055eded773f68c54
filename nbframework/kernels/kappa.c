/* kappa_sums and power_sums: for each class, the log of the sum of w b^-kappa over its rows, for many kappas at once.
 *
 * The one measures distances, the other is given the logarithms of the b.
 */

#include "kappa.h"

#include <string.h>

#define MOST_TILE 16
#define TILE_BYTES ((size_t)1 << 20)
#define LEAST_TILE 8 /* queries, however many rows there are: each tile loads all of them */

/* The measures of a tile of queries, each with a line of so many. */
typedef struct {
    double *line;
    size_t length;
} Tile;

static int
fill_slice(const Search *search, size_t query, size_t offset, void *context)
{
    const Tile *tile = context;
    square_slice(search, query, offset, tile->line + query * tile->length + search->first + offset);
    return 0;
}

static Fault
sum_tiles(Search *search, const Task *task)
{
    Tile tile = {NULL, (task->rows + SLICE_ROWS - 1) / SLICE_ROWS * SLICE_ROWS};
    size_t most = TILE_BYTES / sizeof(double) / (tile.length + 1);
    Fault fault = start_search(search, most < LEAST_TILE ? LEAST_TILE : most < MOST_TILE ? most : MOST_TILE);
    Buffers *buffers = open_buffers(task, search->tile * tile.length, &tile.line);
    if (buffers == NULL) {
        fault = (Fault){NO_MEMORY, 0, 0};
    }
    for (size_t first = 0; fault.kind == FINE && first < task->queries; first += search->tile) {
        size_t left = task->queries - first, count = left < search->tile ? left : search->tile;
        fault = visit_slices(search, first, count, fill_slice, &tile);
        for (size_t q = 0; fault.kind == FINE && q < count; q++) {
            fault = sum_query(task, first + q, tile.line + q * tile.length, 1, buffers);
        }
    }
    close_buffers(buffers);
    return fault;
}

/* kappa_sums(queries, training, bounds, farthest, rescale, class_start, exponents, weights, left_out, nodes,
 * coefficients, error, out). */
PyObject *
kernel_kappa_sums(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *queries, *training, *bounds, *class_start, *exponents, *weights, *left_out, *out, *result = NULL;
    PyObject *nodes, *coefficients;
    double farthest, error;
    int rescale;
    if (!PyArg_ParseTuple(arguments, "O!O!OdpOOOOOOdO:kappa_sums", &PyTuple_Type, &queries, &PyTuple_Type, &training,
                          &bounds, &farthest, &rescale, &class_start, &exponents, &weights, &left_out, &nodes,
                          &coefficients, &error, &out)) {
        return NULL;
    }
    Search search;
    Task task = {0};
    Given given = {.exponents = {.open = 0}};
    Fault fault;
    if (open_search(queries, training, bounds, farthest, rescale, &search) < 0) {
        goto done;
    }
    task.queries = search.queries;
    task.rows = search.rows;
    if (open_given(class_start, exponents, weights, left_out, out, &task, &given) < 0 ||
        open_interpolation(nodes, coefficients, error, &task, &given) < 0) {
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    fault = sum_tiles(&search, &task);
    Py_END_ALLOW_THREADS
    result = none_or_raise(fault);
done:
    close_given(&given);
    close_search(&search);
    return result;
}

static Fault
sum_logs(const Task *task, const double *logs)
{
    double *line;
    Buffers *buffers = open_buffers(task, task->rows, &line);
    Fault fault = {buffers != NULL ? FINE : NO_MEMORY, 0, 0};
    for (size_t q = 0; fault.kind == FINE && q < task->queries; q++) {
        memcpy(line, logs + q * task->rows, task->rows * sizeof *logs);
        fault = sum_query(task, q, line, 0, buffers);
    }
    close_buffers(buffers);
    return fault;
}

/* power_sums(logs, class_start, exponents, weights, left_out, nodes, coefficients, error, out): fills the sums. */
PyObject *
kernel_power_sums(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *logs, *class_start, *exponents, *weights, *left_out, *out, *result = NULL;
    PyObject *nodes, *coefficients;
    double error;
    if (!PyArg_ParseTuple(arguments, "OOOOOOOdO:power_sums", &logs, &class_start, &exponents, &weights, &left_out,
                          &nodes, &coefficients, &error, &out)) {
        return NULL;
    }
    Doubles table = {.open = 0};
    Task task = {0};
    Given given = {.exponents = {.open = 0}};
    Fault fault;
    if (open_doubles(logs, "logs", 2, 0, &table) < 0) {
        goto done;
    }
    task.queries = (size_t)table.buffer.shape[0];
    task.rows = (size_t)table.buffer.shape[1];
    if (open_given(class_start, exponents, weights, left_out, out, &task, &given) < 0 ||
        open_interpolation(nodes, coefficients, error, &task, &given) < 0) {
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    fault = sum_logs(&task, table.data);
    Py_END_ALLOW_THREADS
    result = none_or_raise(fault);
done:
    close_given(&given);
    close_doubles(&table);
    return result;
}
