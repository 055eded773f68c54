/* The entries of the columns, and the order in which the columns are added. */

#include "density_sums.h"

#include <math.h>
#include <stdlib.h>

/* How a column is added: in vectors, apart, or not at all, because it tells nothing. */
typedef enum { PLAIN, APART, NOTHING } Way;

/* Write the entries of a column; returns how it is added. */
static Way
fill_entries(const DensityTask *task, size_t column, double *entries)
{
    Way way = PLAIN;
    size_t silent = 0;
    for (size_t c = 0; c < task->class_count; c++) {
        const size_t cell = c * task->values.columns + column;
        if (task->term == NORMAL) {
            const double variance = task->given[1][cell];
            *entries++ = task->given[0][cell];
            *entries++ = sqrt(0.5) / sqrt(variance);
            *entries++ = -0.5 * log(2 * 3.141592653589793 * variance);
            way = variance > 0.0 ? way : APART;
            silent += variance != variance;
        } else if (task->term == COUNT) {
            *entries = task->given[0][cell];
            way = isfinite(*entries) ? way : APART;
            entries++;
        } else {
            *entries++ = task->given[0][cell];
            *entries++ = task->given[1][cell];
        }
    }
    return silent == task->class_count ? NOTHING : way;
}

int
make_table(const DensityTask *task, DensityTable *table)
{
    const size_t columns = task->values.columns;
    table->width = task->term == NORMAL ? 3 : task->term == COUNT ? 1 : 2;
    table->stride = table->width * task->class_count;
    table->entries = malloc((columns + 1) * table->stride * sizeof *table->entries);
    table->column = malloc((columns + 1) * sizeof *table->column);
    if (table->entries == NULL || table->column == NULL) {
        return -1;
    }
    for (size_t j = 0; j < columns; j++) {
        const Way way = fill_entries(task, j, table->entries + table->plain * table->stride);
        if (way == PLAIN) {
            table->column[table->plain++] = j;
        } else if (way == APART) {
            table->column[columns - ++table->apart] = j;
        }
    }
    for (size_t place = columns - table->apart; place < columns; place++) {
        fill_entries(task, table->column[place], table->entries + place * table->stride);
    }
    return 0;
}

void
free_table(DensityTable *table)
{
    free(table->column);
    free(table->entries);
}
