/* class_counts: how often each code of each column occurs in each class.
 *
 * Without weights, neighbouring columns are counted together. With weights, or where already one column's table is
 * large compared with the rows, the sums are made in place, in the order of the rows.
 */

#include "counting.h"

#include <stdlib.h>

#define CHUNK_ROWS ((size_t)62 * BLOCK_ROWS) /* half of them are less than 2^16, the limit of a table's counts */

static Fault
load_chunk(const Table *table, size_t start, size_t count, Buffers *buffers)
{
    size_t good = load_codes(&table->classes, start, count, limit_of(table->class_count), buffers->group);
    if (good < count) {
        return (Fault){BAD_CLASS, 0, start + good};
    }
    for (size_t i = 0; i < count; i++) {
        buffers->narrow[i] = (uint16_t)buffers->group[i];
    }
    if (table->rows != NULL) {
        good = load_rows(table->rows, start, count, table->length, buffers->rows);
        if (good < count) {
            return (Fault){BAD_ROW, 0, start + good};
        }
    }
    return (Fault){FINE, 0, 0};
}

Fault
load_block(const Table *table, size_t j, size_t start, size_t first, size_t count, Buffers *buffers)
{
    uint32_t limit = block_width(table->offset, j);
    size_t good;
    if (table->rows != NULL) {
        good = gather_codes(&table->columns[j], buffers->rows + first, count, limit, buffers->code);
    } else {
        good = load_codes(&table->columns[j], start + first, count, limit, buffers->code);
    }
    if (good < count) {
        return (Fault){BAD_CODE, j, table->rows != NULL ? buffers->rows[first + good] : start + first + good};
    }
    return (Fault){FINE, 0, 0};
}

static Fault
count_in_place(const Table *table, size_t j, size_t start, size_t count, Buffers *buffers)
{
    double *to = table->cells + table->offset[j];
    for (size_t first = 0; first < count; first += BLOCK_ROWS) {
        size_t rows = count - first < BLOCK_ROWS ? count - first : BLOCK_ROWS;
        const uint32_t *group = buffers->group + first, *code = buffers->code;
        Fault fault = load_block(table, j, start, first, rows, buffers);
        if (fault.kind != FINE) {
            return fault;
        }
        if (table->weights != NULL) {
            const double *weights = table->weights + start + first;
            for (size_t i = 0; i < rows; i++) {
                to[(size_t)group[i] * table->width + code[i]] += weights[i];
            }
        } else {
            for (size_t i = 0; i < rows; i++) {
                to[(size_t)group[i] * table->width + code[i]] += 1.0;
            }
        }
    }
    return (Fault){FINE, 0, 0};
}

static Fault
count_chunks(const Table *table, size_t chunk, Buffers *buffers)
{
    for (size_t start = 0; start < table->classes.length; start += chunk) {
        size_t left = table->classes.length - start, count = left < chunk ? left : chunk;
        Fault fault = load_chunk(table, start, count, buffers);
        for (size_t j = 0; fault.kind == FINE && j < table->column_count;) {
            size_t joined = joined_columns(table, j, chunk);
            if (joined > 0) {
                fault = count_jointly(table, j, joined, start, count, buffers);
                j += joined;
            } else {
                fault = count_in_place(table, j, start, count, buffers);
                j++;
            }
        }
        if (fault.kind != FINE) {
            return fault;
        }
    }
    return (Fault){FINE, 0, 0};
}

static Fault
count(const Table *table)
{
    Fault fault = {NO_MEMORY, 0, 0};
    size_t rows = table->classes.length, chunk = rows < CHUNK_ROWS ? rows : CHUNK_ROWS;
    Buffers *buffers = calloc(1, sizeof(Buffers));
    if (buffers != NULL) {
        buffers->group = malloc((chunk + 1) * sizeof *buffers->group);
        buffers->narrow = malloc((chunk + 1) * sizeof *buffers->narrow);
        buffers->rows = table->rows != NULL ? malloc((chunk + 1) * sizeof *buffers->rows) : NULL;
        if (buffers->group != NULL && buffers->narrow != NULL && (buffers->rows != NULL || table->rows == NULL)) {
            fault = count_chunks(table, chunk, buffers);
        }
        free(buffers->rows);
        free(buffers->narrow);
        free(buffers->group);
    }
    free(buffers);
    return fault;
}

/* class_counts(columns, offset, classes, weights or None, rows or None, cells): adds to the zeroed cells. */
PyObject *
kernel_class_counts(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    return count_into_table(arguments, "O!OOOOO:class_counts", "cells", 2, count);
}
