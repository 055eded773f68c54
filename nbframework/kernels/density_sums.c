/* The sums of what the numbers of each row add for each class.
 *
 * Rows are taken in blocks and columns in groups, so that a block and its sums stay in the first cache. A vector holds
 * neighbouring rows of a column, and a few classes keep their sums in registers while the columns pass. Columns with an
 * entry that products cannot tell (infinite logarithms, variances of 0) are added apart. Each sum runs over the columns
 * in an order that depends on the table alone, in whole vectors, so that a row has the same sum beside any others.
 */

#include "density_sums.h"
#include "fused.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SUM_ROWS 128
#define SPACING (SUM_ROWS + 8) /* doubles between the sums of two classes, of which no two share their cache lines */
#define SUM_COLUMNS 16
#define CLASSES_TOGETHER 5
#define VECTORS 2

/* Rows side by side that may lie anywhere, one where the compiler has no such type. */
#if defined(__GNUC__)
typedef double Some __attribute__((vector_size(WIDTH * sizeof(double)), aligned(sizeof(double))));
typedef int64_t Bits __attribute__((vector_size(WIDTH * sizeof(int64_t)), aligned(sizeof(int64_t))));
#define CHOSEN(mask, one, other) ((Some)(((Bits)(one) & (Bits)(mask)) | ((Bits)(other) & ~(Bits)(mask))))
#define SPREAD(number) ((number) - (Some){0})
#else
typedef double Some;
typedef int Bits;
#define CHOSEN(mask, one, other) ((mask) ? (one) : (other))
#define SPREAD(number) (number)
#endif

typedef struct {
    const DensityTask *task;
    DensityTable table;
    double *sums;                    /* (classes, SPACING) */
    double (*copy)[SUM_ROWS];        /* of columns whose rows are no neighbours, or too few */
    const double *from[SUM_COLUMNS]; /* the columns of a group */
    unsigned char is_refused[SUM_ROWS];
} Sums;

/* Add the numbers of a strip of rows to the sums of a few classes. */
INLINE void
add_strip(Term term, int masked, size_t classes, const Sums *work, const double *entries, size_t columns, size_t row,
          double *sums)
{
    const size_t lanes = sizeof(Some) / sizeof(double);
    const size_t stride = work->table.stride;
    const Some threshold = SPREAD(work->task->threshold), zero = SPREAD(0.0);
    Some sum[CLASSES_TOGETHER][VECTORS];
    for (size_t c = 0; c < classes; c++) {
        for (size_t v = 0; v < VECTORS; v++) {
            sum[c][v] = *(const Some *)(sums + c * SPACING + row + v * lanes);
        }
    }
    for (size_t j = 0; j < columns; j++, entries += stride) {
        Some x[VECTORS];
        for (size_t v = 0; v < VECTORS; v++) {
            x[v] = *(const Some *)(work->from[j] + row + v * lanes);
            /* not the product, which would then be rounded before it is added */
            x[v] = masked && term == COUNT ? CHOSEN(x[v] == x[v], x[v], zero) : x[v];
        }
        for (size_t c = 0; c < classes; c++) {
            for (size_t v = 0; v < VECTORS; v++) {
                Some added;
                if (term == NORMAL) {
                    const Some distance = (x[v] - entries[3 * c]) * entries[3 * c + 1];
                    added = entries[3 * c + 2] - distance * distance;
                } else if (term == COUNT) {
                    added = x[v] * entries[c];
                } else {
                    const Bits above = (Bits)(x[v] > threshold);
                    added = CHOSEN(above, SPREAD(entries[2 * c]), SPREAD(entries[2 * c + 1]));
                }
                sum[c][v] += masked && term != COUNT ? CHOSEN(x[v] == x[v], added, zero) : added;
            }
        }
    }
    for (size_t c = 0; c < classes; c++) {
        for (size_t v = 0; v < VECTORS; v++) {
            *(Some *)(sums + c * SPACING + row + v * lanes) = sum[c][v];
        }
    }
}

/* Add a group of columns to the sums of all classes. */
INLINE void
add_group(Term term, int masked, const Sums *work, size_t first, size_t columns, size_t rows)
{
    const size_t all = work->task->class_count, width = work->table.width;
    const size_t parts = (all + CLASSES_TOGETHER - 1) / CLASSES_TOGETHER;
    for (size_t part = 0, c = 0; part < parts; part++) {
        const size_t classes = (all - c + parts - part - 1) / (parts - part);
        const double *entries = work->table.entries + first * work->table.stride + c * width;
        double *sums = work->sums + c * SPACING;
        for (size_t row = 0; row < rows; row += VECTORS * sizeof(Some) / sizeof(double)) {
#define UNROLLED(CLASSES)                                                    \
    case CLASSES:                                                            \
        add_strip(term, masked, CLASSES, work, entries, columns, row, sums); \
        break
            switch (classes) {
                UNROLLED(1);
                UNROLLED(2);
                UNROLLED(3);
                UNROLLED(4);
                UNROLLED(5);
            }
#undef UNROLLED
        }
        c += classes;
    }
}

#define ADDER(NAME, TERM)                                                                                             \
    FUSED static void NAME(const Sums *work, int masked, size_t first, size_t columns, size_t rows)                   \
    {                                                                                                                 \
        if (masked) {                                                                                                 \
            add_group(TERM, 1, work, first, columns, rows);                                                           \
        } else {                                                                                                      \
            add_group(TERM, 0, work, first, columns, rows);                                                           \
        }                                                                                                             \
    }

ADDER(add_normal, NORMAL)
ADDER(add_counts, COUNT)
ADDER(add_thresholds, THRESHOLD)

/* Whether a number is below the least one or unknown. */
DISPATCHED static int
has_less(const double *restrict numbers, size_t count, double least)
{
    int64_t found = 0;
    for (size_t i = 0; i < count; i++) {
        found |= !(numbers[i] >= least);
    }
    return found != 0;
}

static double
value_at(const Matrix *values, size_t row, size_t column)
{
    return values->data[(ptrdiff_t)row * values->row_stride + (ptrdiff_t)column * values->column_stride];
}

/* Place a group of columns of a block; whether one has a number that is unknown or, where counts are asked for, below
 * 0, whose rows are marked. */
static int
place_columns(Sums *work, const size_t *column, size_t columns, size_t start, size_t rows)
{
    const Matrix *values = &work->task->values;
    int strange = 0;
    for (size_t j = 0; j < columns; j++) {
        if (values->row_stride == 1 && rows == SUM_ROWS) {
            work->from[j] = values->data + (ptrdiff_t)start + (ptrdiff_t)column[j] * values->column_stride;
            for (size_t ahead = 0; ahead < sizeof *work->copy; ahead += LINE) {
                /* as a number, because it may lie behind the column */
                PREFETCH((const void *)((uintptr_t)(work->from[j] + SUM_ROWS) + ahead));
            }
        } else {
            for (size_t i = 0; i < SUM_ROWS; i++) {
                work->copy[j][i] = i < rows ? value_at(values, start + i, column[j]) : 0.0;
            }
            work->from[j] = work->copy[j];
        }
        const int here = has_less(work->from[j], rows, work->task->term == COUNT ? 0.0 : -INFINITY);
        for (size_t i = 0; here && work->task->term == COUNT && i < rows; i++) {
            work->is_refused[i] |= work->from[j][i] < 0.0;
        }
        strange |= here;
    }
    return strange;
}

/* Add one column whose entries are taken one by one. */
static void
add_apart(const Sums *work, const double *entries, size_t rows)
{
    for (size_t c = 0; c < work->task->class_count; c++, entries += work->table.width) {
        double *sums = work->sums + c * SPACING;
        for (size_t i = 0; i < rows; i++) {
            const double x = work->from[0][i];
            if (x != x) {
                continue;
            }
            if (work->task->term == COUNT) {
                sums[i] += x == 0.0 ? 0.0 : x * entries[0];
            } else if (entries[1] == INFINITY) {
                sums[i] += x == entries[0] ? 0.0 : -INFINITY;
            } else if (entries[1] == entries[1]) {
                const double distance = (x - entries[0]) * entries[1];
                sums[i] += entries[2] - distance * distance;
            }
        }
    }
}

/* Write the sums of a block, the classes of each row side by side. */
static void
write_scores(const Sums *work, size_t rows, double *restrict scores)
{
    const size_t classes = work->task->class_count;
    for (size_t c = 0; c < classes; c++) {
        const double *sums = work->sums + c * SPACING;
        for (size_t i = 0; i < rows; i++) {
            scores[i * classes + c] = sums[i];
        }
    }
    for (size_t i = 0; i < rows; i++) {
        for (size_t c = 0; c < classes && work->is_refused[i]; c++) {
            scores[i * classes + c] = NAN;
        }
    }
}

static void
sum_block(Sums *work, size_t start, size_t rows)
{
    const DensityTask *task = work->task;
    const DensityTable *table = &work->table;
    memset(work->sums, 0, task->class_count * SPACING * sizeof *work->sums);
    memset(work->is_refused, 0, sizeof work->is_refused);
    for (size_t first = 0; first < table->plain; first += SUM_COLUMNS) {
        const size_t left = table->plain - first, columns = left < SUM_COLUMNS ? left : SUM_COLUMNS;
        const int masked = place_columns(work, table->column + first, columns, start, rows);
        (task->term == NORMAL  ? add_normal
         : task->term == COUNT ? add_counts
                               : add_thresholds)(work, masked, first, columns, rows);
    }
    for (size_t place = task->values.columns - table->apart; place < task->values.columns; place++) {
        place_columns(work, table->column + place, 1, start, rows);
        add_apart(work, table->entries + place * table->stride, rows);
    }
    write_scores(work, rows, task->scores + start * task->class_count);
}

Fault
sum_densities(const DensityTask *task)
{
    Fault fault = {NO_MEMORY, 0, 0};
    Sums work = {.task = task};
    if (task->values.rows == 0 || task->class_count == 0) {
        return (Fault){FINE, 0, 0};
    }
    work.sums = malloc(task->class_count * SPACING * sizeof *work.sums);
    work.copy = malloc(SUM_COLUMNS * sizeof *work.copy);
    if (make_table(task, &work.table) == 0 && work.sums != NULL && work.copy != NULL) {
        for (size_t start = 0; start < task->values.rows; start += SUM_ROWS) {
            const size_t left = task->values.rows - start;
            sum_block(&work, start, left < SUM_ROWS ? left : SUM_ROWS);
        }
        fault.kind = FINE;
    }
    free_table(&work.table);
    free(work.copy);
    free(work.sums);
    return fault;
}
