/* The sums over all parents.
 *
 * Tables have the classes of one cell side by side, padded to whole vectors. One parent after the other is added to the
 * sums of a block of rows; those that share its value follow one another, so that the table given this value stays in
 * the first cache. Each product runs over the columns in their order; the sums are kept relative to their largest term,
 * and the exponentials are our own.
 */

#include "dependence.h"
#include "fused.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_ROWS_OF_SUMS 1024
#define TOGETHER 16
#define SIDE_BY_SIDE 4
#define FEW(stride) ((TOGETHER + 1) * (stride)) /* doubles of so many rows */

/* Doubles side by side that may lie anywhere, one where the compiler has no such type. */
#if defined(__GNUC__)
typedef double Four __attribute__((vector_size(4 * sizeof(double)), aligned(sizeof(double))));
typedef double Eight __attribute__((vector_size(8 * sizeof(double)), aligned(sizeof(double))));
#else
typedef double Four;
typedef double Eight;
#endif
#define VECTOR_HAS_LANES (sizeof(Four) > sizeof(double))

/* Add up the entries of a few rows, whose sums do not wait for each other, for as many classes as VECTORS hold. */
#define ADDER(NAME, ROWS, LANES, VECTORS)                                                                             \
    INLINE void NAME(const Task *task, const double *table, const double *start, double log_weight,                   \
                     const uint32_t *row, double *term)                                                               \
    {                                                                                                                 \
        const size_t lanes = sizeof(LANES) / sizeof(double);                                                          \
        const uint32_t *place[ROWS];                                                                                  \
        LANES sum[ROWS][VECTORS];                                                                                     \
        for (size_t r = 0; r < ROWS; r++) {                                                                           \
            place[r] = task->place + row[r] * task->column_count;                                                     \
            for (size_t v = 0; v < VECTORS; v++) {                                                                    \
                sum[r][v] = *(const LANES *)(start + v * lanes);                                                      \
            }                                                                                                         \
        }                                                                                                             \
        for (size_t j = 0; j < task->column_count; j++) {                                                             \
            for (size_t r = 0; r < ROWS; r++) {                                                                       \
                const double *entry = table + place[r][j];                                                            \
                for (size_t v = 0; v < VECTORS; v++) {                                                                \
                    sum[r][v] += *(const LANES *)(entry + v * lanes);                                                 \
                }                                                                                                     \
            }                                                                                                         \
        }                                                                                                             \
        for (size_t r = 0; r < ROWS; r++) {                                                                           \
            for (size_t v = 0; v < VECTORS; v++) {                                                                    \
                *(LANES *)(term + r * task->spacing + v * lanes) = sum[r][v] + log_weight;                            \
            }                                                                                                         \
        }                                                                                                             \
    }

ADDER(add_one, 1, Four, 1)
ADDER(add_two, 1, Four, 2)
ADDER(add_eight, 1, Eight, 1)
ADDER(add_one_of_rows, SIDE_BY_SIDE, Four, 1)
ADDER(add_two_of_rows, SIDE_BY_SIDE, Four, 2)
ADDER(add_eight_of_rows, SIDE_BY_SIDE, Eight, 1)

typedef void Adder(const Task *task, const double *table, const double *start, double log_weight, const uint32_t *row,
                   double *term);

/* Write the terms of a parent's value for some classes of a few rows. */
INLINE void
write_classes(const Task *task, size_t parent, uint32_t value, const uint32_t *row, size_t rows, size_t first,
              Adder *add, Adder *add_rows)
{
    const size_t stride = task->stride, cell = task->offset[parent] + value;
    const double *table = task->tables[parent].data + (size_t)value * task->width * stride + first;
    const double *start = task->start + cell * stride + first, log_weight = task->log_weight[cell];
    double *term = task->terms + first;
    size_t i = 0;
    for (; i + SIDE_BY_SIDE <= rows; i += SIDE_BY_SIDE) {
        add_rows(task, table, start, log_weight, row + i, term + i * task->spacing);
    }
    for (; i < rows; i++) {
        add(task, table, start, log_weight, row + i, term + i * task->spacing);
    }
}

/* Write the terms of a parent's value for all classes of a few rows. */
INLINE void
write_all(const Task *task, size_t parent, uint32_t value, const uint32_t *row, size_t rows, Adder *add,
          Adder *add_rows)
{
    size_t c = 0;
    for (; VECTOR_HAS_LANES && c + 2 * VECTOR <= task->stride; c += 2 * VECTOR) {
        write_classes(task, parent, value, row, rows, c, add, add_rows);
    }
    for (; c < task->stride; c += sizeof(Four) / sizeof(double)) {
        write_classes(task, parent, value, row, rows, c, add_one, add_one_of_rows);
    }
}

DISPATCHED static void
write_terms(const Task *task, size_t parent, uint32_t value, const uint32_t *row, size_t rows)
{
    write_all(task, parent, value, row, rows, add_two, add_two_of_rows);
}

WIDE static void
write_terms_widely(const Task *task, size_t parent, uint32_t value, const uint32_t *row, size_t rows)
{
    write_all(task, parent, value, row, rows, add_eight, add_eight_of_rows);
}

/* Add `count` terms to sums over their largest ones. */
INLINE void
add_to_sums(size_t count, const double *restrict term, double *restrict lower, double *restrict share,
            double *restrict top, double *restrict total)
{
    for (size_t i = 0; i < count; i++) {
        double above = term[i] - top[i], below = top[i] - term[i];
        lower[i] = above < below ? above : below;
    }
    exponentials(lower, 1.0, count, share);
    for (size_t i = 0; i < count; i++) {
        double grown = total[i] * share[i] + 1.0, added = total[i] + share[i];
        total[i] = term[i] > top[i] ? grown : added;
        top[i] = term[i] > top[i] ? term[i] : top[i];
    }
}

INLINE void
copy_classes(const double *from, size_t stride, double *to)
{
    for (size_t c = 0; c < stride; c += sizeof(Four) / sizeof(double)) {
        *(Four *)(to + c) = *(const Four *)(from + c);
    }
}

/* Add the terms of a few rows to their sums. */
INLINE void
add_terms(const Task *task, const uint32_t *row, size_t rows)
{
    const size_t stride = task->stride, spacing = task->spacing, all = FEW(stride);
    double *lower = task->few, *share = lower + all, *top = share + all, *total = top + all;
    for (size_t i = 0; i < rows; i++) {
        copy_classes(task->top + row[i] * stride, stride, top + i * spacing);
        copy_classes(task->total + row[i] * stride, stride, total + i * spacing);
    }
    add_to_sums(rows * spacing, task->terms, lower, share, top, total);
    for (size_t i = 0; i < rows; i++) {
        copy_classes(top + i * spacing, stride, task->top + row[i] * stride);
        copy_classes(total + i * spacing, stride, task->total + row[i] * stride);
    }
}

FUSED static void
add_terms_fused(const Task *task, const uint32_t *row, size_t rows)
{
    add_terms(task, row, rows);
}

static void
add_terms_plain(const Task *task, const uint32_t *row, size_t rows)
{
    add_terms(task, row, rows);
}

/* Add one parent to the sums of a block of rows; rows that have its values in turn are put into `row`. */
static void
add_parent(const Task *task, size_t parent, size_t rows, uint32_t *border, uint32_t *row)
{
    const uint32_t *code = task->code + parent * BLOCK_ROWS_OF_SUMS;
    const size_t codes = task->offset[parent + 1] - task->offset[parent];
    memset(border, 0, (codes + 1) * sizeof *border);
    for (size_t i = 0; i < rows; i++) {
        border[code[i] + 1]++;
    }
    for (size_t value = 0; value < codes; value++) {
        border[value + 1] += border[value];
    }
    for (size_t i = 0; i < rows; i++) {
        row[border[code[i]]++] = (uint32_t)i;
    }
    /* each border has moved to the end of its rows */
    for (size_t value = 0; value < codes; value++) {
        size_t end = border[value], few;
        if (!(task->log_weight[task->offset[parent] + value] > -INFINITY)) {
            continue;
        }
        for (size_t i = value == 0 ? 0 : border[value - 1]; i < end; i += few) {
            few = end - i < TOGETHER ? end - i : TOGETHER;
            (HAS_WIDE ? write_terms_widely : write_terms)(task, parent, (uint32_t)value, row + i, few);
            (FUSES ? add_terms_fused : add_terms_plain)(task, row + i, few);
        }
    }
}

static Fault
load_block(const Task *task, size_t first, size_t rows)
{
    for (size_t j = 0; j < task->column_count; j++) {
        uint32_t *code = task->code + j * BLOCK_ROWS_OF_SUMS;
        size_t good = load_codes(&task->columns[j], first, rows, block_width(task->offset, j), code);
        if (good < rows) {
            return (Fault){BAD_CODE, j, first + good};
        }
        for (size_t i = 0; i < rows; i++) {
            task->place[i * task->column_count + j] = (uint32_t)((task->offset[j] + code[i]) * task->stride);
        }
    }
    return (Fault){FINE, 0, 0};
}

static Fault
sum_block(const Task *task, size_t first, size_t rows, uint32_t *border, uint32_t *row)
{
    const size_t stride = task->stride;
    Fault fault = load_block(task, first, rows);
    if (fault.kind != FINE) {
        return fault;
    }
    for (size_t i = 0; i < rows * stride; i++) {
        task->top[i] = -INFINITY;
        task->total[i] = 0.0;
    }
    for (size_t parent = 0; parent < task->column_count; parent++) {
        add_parent(task, parent, rows, border, row);
    }
    for (size_t i = 0; i < rows; i++) {
        for (size_t c = 0; c < task->class_count; c++) {
            double top = task->top[i * stride + c];
            task->sums[(first + i) * task->class_count + c] =
                top > -INFINITY ? top + log(task->total[i * stride + c]) : -INFINITY;
        }
    }
    return fault;
}

Fault
sum_parents(Task *task)
{
    Fault fault = {NO_MEMORY, 0, 0};
    const size_t block = BLOCK_ROWS_OF_SUMS, stride = task->stride;
    task->code = malloc((task->column_count * block + 1) * sizeof *task->code);
    task->place = malloc((task->column_count * block + 1) * sizeof *task->place);
    task->top = malloc((block * stride + 1) * sizeof *task->top);
    task->total = malloc((block * stride + 1) * sizeof *task->total);
    task->terms = malloc(FEW(stride) * sizeof *task->terms);
    task->few = calloc(4 * FEW(stride), sizeof *task->few);
    /* classes are written whole, and the next row overwrites the padding; but not where a row takes several turns, each
     * of which goes through all rows */
    task->spacing = VECTOR_HAS_LANES && stride <= 2 * VECTOR ? task->class_count : stride;
    uint32_t *border = malloc((task->width + 2) * sizeof *border), *row = malloc(block * sizeof *row);
    if (task->code && task->place && task->top && task->total && task->terms && task->few && border && row) {
        fault.kind = FINE;
    }
    for (size_t first = 0; fault.kind == FINE && first < task->rows; first += block) {
        size_t left = task->rows - first;
        fault = sum_block(task, first, left < block ? left : block, border, row);
    }
    free(row);
    free(border);
    free(task->few);
    free(task->terms);
    free(task->total);
    free(task->top);
    free(task->place);
    free(task->code);
    return fault;
}
