/* The entries of a sorted column: the rows of each value and class, and their numbers in blocks. */

#include "cuts.h"

#include <stdlib.h>
#include <string.h>

#define SMALLEST_BLOCK 32

/* Make the entries of the rows that share a value. */
static void
close_value(Column *column, const uint32_t *group, size_t count, double *sums, uint32_t *rows, const double *weights)
{
    for (size_t i = 0; i < count; i++) {
        rows[group[i]]++;
        if (weights != NULL) {
            sums[group[i]] += weights[i];
        }
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t class = group[i];
        if (rows[class]) {
            column->mark[column->entry_count] = class << 1;
            column->rows_of[column->entry_count] = rows[class];
            if (weights != NULL) {
                column->amount[column->entry_count] = sums[class];
                sums[class] = 0;
            }
            rows[class] = 0;
            column->entry_count++;
        }
    }
    column->mark[column->entry_count - 1] |= END_OF_VALUE;
}

void
make_entries(Column *column)
{
    size_t n = column->rows;
    /* The classes lie at the place of the entries, which never outrun them. */
    uint32_t *group = column->mark;
    double *sums = column->scratch;
    uint32_t *rows = column->position;
    memset(rows, 0, column->class_count * sizeof *rows);
    memset(sums, 0, column->class_count * sizeof *sums);
    size_t start = 0;
    for (size_t i = 0; i < n; i++) {
        if (i + 1 < n && !(column->values[i] < column->values[i + 1])) {
            continue;
        }
        if (start == i) {
            column->mark[column->entry_count] = group[i] << 1 | END_OF_VALUE;
            column->rows_of[column->entry_count] = 1;
            if (column->weights != NULL) {
                column->amount[column->entry_count] = column->weights[i];
            }
            column->entry_count++;
            start = i + 1;
            continue;
        }
        const double *weights = column->weights ? column->weights + start : NULL;
        close_value(column, group + start, i + 1 - start, sums, rows, weights);
        start = i + 1;
    }
}

/* Count the entries of a large column in blocks. */
Fault
count_blocks(Column *column)
{
    size_t stride = column->class_count + 2;
    column->block_size = stride > SMALLEST_BLOCK / 4 ? 4 * stride : SMALLEST_BLOCK;
    size_t blocks = column->entry_count / column->block_size + 1;
    column->blocks = calloc((blocks + 1) * stride, sizeof(uint32_t));
    if (column->blocks == NULL) {
        return (Fault){NO_MEMORY, 0, 0};
    }
    uint32_t *counts = column->blocks;
    for (size_t e = 0, end; e < column->entry_count; e = end) {
        end = column->entry_count - e < column->block_size ? column->entry_count : e + column->block_size;
        memcpy(counts + stride, counts, stride * sizeof(uint32_t));
        counts += stride;
        const uint32_t *mark = column->mark, *rows_of = column->rows_of;
        uint32_t rows = 0, values = 0;
        for (size_t i = e; i < end; i++) {
            rows += rows_of[i];
            values += mark[i] & END_OF_VALUE;
        }
        for (size_t i = e; i < end; i++) {
            counts[2 + (mark[i] >> 1)] += rows_of[i];
        }
        counts[0] += rows;
        counts[1] += values;
    }
    return (Fault){FINE, 0, 0};
}
