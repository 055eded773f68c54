/* class_counts: how often each code of each column occurs in each class.
 *
 * The rows are taken in blocks: the classes of a block are loaded once, then each column of the block is counted.
 * Without weights the counts go to small integer histograms, several beside each other where a column has few cells,
 * because two increments of one cell in a row wait for each other. With weights, or where the table is large
 * compared with the data, they go straight to the result, in the order of the rows.
 */

#include "kernels.h"

#include <stdlib.h>

#define LANES 4
#define MANY_CELLS 2048
#define FLUSH_ROWS ((size_t)1 << 31)

typedef struct {
    const Integers *columns;
    size_t column_count;
    size_t length;
    const size_t *offset;
    size_t width;
    const Integers *classes;
    size_t class_count;
    const double *weights;
    const Integers *rows;
    double *cells;
} Table;

/* The buffers of one block of rows. */
typedef struct {
    size_t rows[BLOCK_ROWS];
    uint32_t group[BLOCK_ROWS];
    uint32_t code[BLOCK_ROWS];
} Block;

static Fault
load_group(const Table *table, size_t start, size_t count, Block *block)
{
    uint32_t limit = table->class_count < UINT32_MAX ? (uint32_t)table->class_count : UINT32_MAX;
    size_t good = load_codes(table->classes, start, count, limit, block->group);
    if (good < count) {
        return (Fault){BAD_CLASS, 0, start + good};
    }
    if (table->rows != NULL) {
        good = load_rows(table->rows, start, count, table->length, block->rows);
        if (good < count) {
            return (Fault){BAD_ROW, 0, start + good};
        }
    }
    return (Fault){FINE, 0, 0};
}

static Fault
load_column(const Table *table, size_t j, size_t start, size_t count, Block *block)
{
    uint32_t limit = block_width(table->offset, j);
    size_t good;
    if (table->rows != NULL) {
        good = gather_codes(&table->columns[j], block->rows, count, limit, block->code);
    } else {
        good = load_codes(&table->columns[j], start, count, limit, block->code);
    }
    if (good < count) {
        return (Fault){BAD_CODE, j, table->rows != NULL ? block->rows[good] : start + good};
    }
    return (Fault){FINE, 0, 0};
}

static size_t
histogram_lanes(const Table *table, size_t j)
{
    return (table->offset[j + 1] - table->offset[j]) * table->class_count <= MANY_CELLS ? LANES : 1;
}

DISPATCHED static void
cell_index(const uint32_t *restrict group, uint32_t width, size_t count, uint32_t *restrict code)
{
    for (size_t i = 0; i < count; i++) {
        code[i] += group[i] * width;
    }
}

static void
increment_lanes(const uint32_t *index, size_t count, uint32_t *histogram, size_t cells)
{
    uint32_t *first = histogram, *second = first + cells, *third = second + cells, *fourth = third + cells;
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        first[index[i]]++;
        second[index[i + 1]]++;
        third[index[i + 2]]++;
        fourth[index[i + 3]]++;
    }
    for (; i < count; i++) {
        first[index[i]]++;
    }
}

static void
increment(const uint32_t *index, size_t count, uint32_t *histogram)
{
    for (size_t i = 0; i < count; i++) {
        histogram[index[i]]++;
    }
}

/* Add the histograms to the result and clear them. */
static void
flush(const Table *table, uint32_t *histogram)
{
    for (size_t j = 0; j < table->column_count; j++) {
        size_t lanes = histogram_lanes(table, j), width = table->offset[j + 1] - table->offset[j];
        size_t cells = width * table->class_count;
        for (size_t c = 0; c < table->class_count; c++) {
            double *to = table->cells + c * table->width + table->offset[j];
            for (size_t v = 0; v < width; v++) {
                uint64_t sum = 0;
                for (size_t lane = 0; lane < lanes; lane++) {
                    sum += histogram[lane * cells + c * width + v];
                    histogram[lane * cells + c * width + v] = 0;
                }
                to[v] += (double)sum;
            }
        }
        histogram += lanes * cells;
    }
}

static Fault
count_in_histograms(const Table *table, uint32_t *histograms, Block *block)
{
    size_t rows = table->classes->length, pending = 0;
    Fault fault;
    for (size_t start = 0; start < rows; start += BLOCK_ROWS) {
        size_t count = rows - start < BLOCK_ROWS ? rows - start : BLOCK_ROWS;
        fault = load_group(table, start, count, block);
        if (fault.kind != FINE) {
            return fault;
        }
        uint32_t *histogram = histograms;
        for (size_t j = 0; j < table->column_count; j++) {
            size_t lanes = histogram_lanes(table, j), width = table->offset[j + 1] - table->offset[j];
            fault = load_column(table, j, start, count, block);
            if (fault.kind != FINE) {
                return fault;
            }
            cell_index(block->group, (uint32_t)width, count, block->code);
            if (lanes == LANES) {
                increment_lanes(block->code, count, histogram, width * table->class_count);
            } else {
                increment(block->code, count, histogram);
            }
            histogram += lanes * width * table->class_count;
        }
        pending += count;
        if (pending >= FLUSH_ROWS) {
            flush(table, histograms);
            pending = 0;
        }
    }
    flush(table, histograms);
    return (Fault){FINE, 0, 0};
}

static Fault
count_in_place(const Table *table, Block *block)
{
    size_t rows = table->classes->length;
    Fault fault;
    for (size_t start = 0; start < rows; start += BLOCK_ROWS) {
        size_t count = rows - start < BLOCK_ROWS ? rows - start : BLOCK_ROWS;
        fault = load_group(table, start, count, block);
        if (fault.kind != FINE) {
            return fault;
        }
        for (size_t j = 0; j < table->column_count; j++) {
            double *to = table->cells + table->offset[j];
            fault = load_column(table, j, start, count, block);
            if (fault.kind != FINE) {
                return fault;
            }
            if (table->weights != NULL) {
                const double *weights = table->weights + start;
                for (size_t i = 0; i < count; i++) {
                    to[(size_t)block->group[i] * table->width + block->code[i]] += weights[i];
                }
            } else {
                for (size_t i = 0; i < count; i++) {
                    to[(size_t)block->group[i] * table->width + block->code[i]] += 1.0;
                }
            }
        }
    }
    return (Fault){FINE, 0, 0};
}

/* The number of histogram cells, or 0 where counting in place takes less memory or time. */
static size_t
histogram_cells(const Table *table)
{
    size_t rows = table->classes->length, budget = rows / 64 * table->column_count, cells = 0;
    if (table->weights != NULL || table->class_count > budget || table->width > budget) {
        return 0;
    }
    for (size_t j = 0; j < table->column_count; j++) {
        cells += (table->offset[j + 1] - table->offset[j]) * table->class_count * histogram_lanes(table, j);
        if (cells > budget || cells > UINT32_MAX) {
            return 0;
        }
    }
    return cells;
}

static Fault
count(const Table *table)
{
    Fault fault = {NO_MEMORY, 0, 0};
    size_t cells = histogram_cells(table);
    uint32_t *histograms = cells ? calloc(cells, sizeof(uint32_t)) : NULL;
    Block *block = malloc(sizeof(Block));
    if (block != NULL && (histograms != NULL || cells == 0)) {
        fault = cells ? count_in_histograms(table, histograms, block) : count_in_place(table, block);
    }
    free(block);
    free(histograms);
    return fault;
}

/* class_counts(columns, offset, classes, weights or None, rows or None, cells): adds to the zeroed cells. */
PyObject *
kernel_class_counts(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *columns, *offset, *classes, *weights, *rows, *cells, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "O!OOOOO:class_counts", &PyTuple_Type, &columns, &offset, &classes, &weights,
                          &rows, &cells)) {
        return NULL;
    }
    Integers group = {.open = 0}, picked = {.open = 0};
    Doubles weight = {.open = 0}, out = {.open = 0};
    Table table = {0};
    Integers *codes = NULL;
    size_t *borders = NULL;
    if (open_doubles(cells, "cells", 2, 1, &out) < 0 || open_integers(classes, "classes", &group) < 0 ||
        (weights != Py_None && open_doubles(weights, "weights", 1, 0, &weight) < 0) ||
        (rows != Py_None && open_integers(rows, "rows", &picked) < 0)) {
        goto done;
    }
    table.class_count = (size_t)out.buffer.shape[0];
    table.width = (size_t)out.buffer.shape[1];
    table.cells = out.data;
    codes = open_columns(columns, &table.column_count, &table.length);
    if (codes == NULL) {
        goto done;
    }
    borders = read_offset(offset, table.column_count, table.width);
    if (borders == NULL) {
        goto done;
    }
    if (weights != Py_None && weight.length != group.length) {
        PyErr_Format(PyExc_ValueError, "weights: expected %zu, found %zu", group.length, weight.length);
        goto done;
    }
    if (rows != Py_None ? picked.length != group.length : table.column_count && table.length != group.length) {
        PyErr_Format(PyExc_ValueError, "classes: expected %zu, one for each row, found %zu",
                     rows != Py_None ? picked.length : table.length, group.length);
        goto done;
    }
    if (rows != Py_None && table.column_count == 0) {
        table.length = SIZE_MAX;
    }
    table.columns = codes;
    table.offset = borders;
    table.classes = &group;
    table.weights = weights != Py_None ? weight.data : NULL;
    table.rows = rows != Py_None ? &picked : NULL;
    Fault fault;
    Py_BEGIN_ALLOW_THREADS
    fault = count(&table);
    Py_END_ALLOW_THREADS
    if (fault.kind != FINE) {
        raise_fault(fault);
        goto done;
    }
    result = Py_NewRef(Py_None);
done:
    PyMem_Free(borders);
    close_columns(codes, table.column_count);
    close_integers(&picked);
    close_doubles(&weight);
    close_integers(&group);
    close_doubles(&out);
    return result;
}
