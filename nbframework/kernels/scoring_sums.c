/* The sums of table entries.
 *
 * The table is copied with the classes of one cell side by side, padded to whole vectors. Rows are taken in blocks and
 * columns in groups, so that the cell indexes of a block and its sums stay in the first cache; each sum runs over the
 * columns in their order.
 */

#include "scoring.h"

#include <stdlib.h>
#include <string.h>

#define VECTOR 4
#define SCORE_ROWS 128
#define SCORE_COLUMNS 32
#define COPY_VECTOR(from, to) memcpy((to), (from), VECTOR * sizeof(double))
#define AHEAD (8 * SCORE_ROWS) /* bytes of a column that are asked for early: many columns are read side by side */

/* Add the entries that start at `index[column][row]`, one or two vectors of classes, to the sums of a block of rows. */
#define ADDER(NAME, CLASSES, TOGETHER)                                                                                \
    DISPATCHED static void NAME(const double *restrict table, uint32_t (*restrict index)[SCORE_ROWS], size_t columns, \
                                size_t rows, size_t stride, double *restrict sums)                                    \
    {                                                                                                                 \
        size_t i = 0;                                                                                                 \
        for (; i + TOGETHER <= rows; i += TOGETHER) {                                                                 \
            double sum[TOGETHER][CLASSES];                                                                            \
            for (size_t r = 0; r < TOGETHER; r++) {                                                                   \
                for (size_t c = 0; c < CLASSES; c++) {                                                                \
                    sum[r][c] = sums[(i + r) * stride + c];                                                           \
                }                                                                                                     \
            }                                                                                                         \
            for (size_t j = 0; j < columns; j++) {                                                                    \
                for (size_t r = 0; r < TOGETHER; r++) {                                                               \
                    const double *entry = table + index[j][i + r];                                                    \
                    for (size_t c = 0; c < CLASSES; c++) {                                                            \
                        sum[r][c] += entry[c];                                                                        \
                    }                                                                                                 \
                }                                                                                                     \
            }                                                                                                         \
            for (size_t r = 0; r < TOGETHER; r++) {                                                                   \
                for (size_t c = 0; c < CLASSES; c++) {                                                                \
                    sums[(i + r) * stride + c] = sum[r][c];                                                           \
                }                                                                                                     \
            }                                                                                                         \
        }                                                                                                             \
        for (; i < rows; i++) {                                                                                       \
            for (size_t j = 0; j < columns; j++) {                                                                    \
                const double *entry = table + index[j][i];                                                            \
                for (size_t c = 0; c < CLASSES; c++) {                                                                \
                    sums[i * stride + c] += entry[c];                                                                 \
                }                                                                                                     \
            }                                                                                                         \
        }                                                                                                             \
    }

ADDER(add_vector, VECTOR, 4)
ADDER(add_vectors, 2 * VECTOR, 4)

static void
transpose(const Task *task, size_t stride, double *by_cell)
{
    const double *from = task->table;
    for (size_t g = 0; g < task->group_count; g++, by_cell += task->width * stride) {
        for (size_t c = 0; c < task->class_count; c++, from += task->width) {
            for (size_t cell = 0; cell < task->width; cell++) {
                by_cell[cell * stride + c] = from[cell];
            }
        }
    }
}

/* Load the groups of a block of rows; returns the position of the first one that does not exist, or `rows`. */
static size_t
load_groups(const Task *task, size_t start, size_t rows, uint32_t *group)
{
    if (task->group == NULL) {
        memset(group, 0, rows * sizeof *group);
        return rows;
    }
    return load_codes(task->group, start, rows, limit_of(task->group_count), group);
}

/* Turn the codes of a block into the places of their entries. */
DISPATCHED static void
place_entries(const uint32_t *restrict group, uint32_t width, uint32_t border, uint32_t stride, size_t rows,
              uint32_t *restrict index)
{
    for (size_t i = 0; i < rows; i++) {
        index[i] = (group[i] * width + index[i] + border) * stride;
    }
}

/* The same from bytes, each read once, for a single group; returns the largest code. */
DISPATCHED static uint32_t
place_bytes(const uint8_t *restrict code, uint32_t border, uint32_t stride, size_t rows, uint32_t *restrict index)
{
    uint32_t largest = 0;
    for (size_t i = 0; i < rows; i++) {
        const uint32_t byte = code[i];
        largest = byte > largest ? byte : largest;
        index[i] = (byte + border) * stride;
    }
    return largest;
}

/* Write where the entries of a column of a block lie; returns the position of the first code outside the column's
 * limit, or `rows`. */
static size_t
place_column(const Task *task, size_t j, size_t start, size_t rows, const uint32_t *group, uint32_t stride,
             uint32_t *index)
{
    uint32_t limit = block_width(task->offset, j), border = (uint32_t)task->offset[j];
    const uint8_t *bytes = task->group == NULL ? dense_bytes(&task->columns[j], start) : NULL;
    if (bytes != NULL) {
        /* as a number, because it may lie behind the column */
        PREFETCH((const void *)((uintptr_t)bytes + AHEAD));
        PREFETCH((const void *)((uintptr_t)bytes + AHEAD + LINE));
    }
    if (bytes != NULL && place_bytes(bytes, border, stride, rows, index) < limit) {
        return rows;
    }
    size_t good = load_codes(&task->columns[j], start, rows, limit, index);
    if (good == rows) {
        place_entries(group, (uint32_t)task->width, border, stride, rows, index);
    }
    return good;
}

/* Write the starts of a block of rows. */
static void
copy_starts(const Task *task, const uint32_t *group, size_t rows, size_t stride, double *restrict sums)
{
    for (size_t i = 0; i < rows; i++) {
        const double *start = task->start + group[i] * task->class_count;
        for (size_t c = 0; c < task->class_count; c++) {
            sums[i * stride + c] = start[c];
        }
    }
}

/* The same from starts that are padded like the sums, in vectors. */
DISPATCHED static void
copy_padded_starts(const double *restrict starts, const uint32_t *group, size_t rows, size_t stride,
                   double *restrict sums)
{
    for (size_t i = 0; i < rows; i++) {
        const double *start = starts + group[i] * stride;
        for (size_t c = 0; c < stride; c += VECTOR) {
            COPY_VECTOR(start + c, sums + i * stride + c);
        }
    }
}

/* Write the sums of a block of rows without the padding. All but those of the last row are copied in vectors, whose
 * padding the next row overwrites. */
DISPATCHED static void
copy_scores(const double *sums, size_t stride, double *scores, size_t classes, size_t rows)
{
    for (size_t i = 0; i + 1 < rows && stride <= 2 * classes; i++) {
        for (size_t c = 0; c < stride; c += VECTOR) {
            COPY_VECTOR(sums + i * stride + c, scores + i * classes + c);
        }
    }
    for (size_t i = stride <= 2 * classes ? rows - 1 : 0; i < rows; i++) {
        memcpy(scores + i * classes, sums + i * stride, classes * sizeof *scores);
    }
}

static Fault
score_in_blocks(const Task *task, size_t stride, const double *by_cell, const double *starts, double *sums,
                uint32_t (*index)[SCORE_ROWS])
{
    uint32_t group[SCORE_ROWS];
    for (size_t start = 0; start < task->rows; start += SCORE_ROWS) {
        size_t rows = task->rows - start < SCORE_ROWS ? task->rows - start : SCORE_ROWS;
        size_t good = load_groups(task, start, rows, group);
        if (good < rows) {
            return (Fault){BAD_GROUP, 0, start + good};
        }
        copy_padded_starts(starts, group, rows, stride, sums);
        for (size_t first = 0; first < task->column_count; first += SCORE_COLUMNS) {
            size_t left = task->column_count - first, columns = left < SCORE_COLUMNS ? left : SCORE_COLUMNS;
            for (size_t j = 0; j < columns; j++) {
                good = place_column(task, first + j, start, rows, group, (uint32_t)stride, index[j]);
                if (good < rows) {
                    return (Fault){BAD_CODE, first + j, start + good};
                }
            }
            size_t c = 0;
            for (; c + 2 * VECTOR <= stride; c += 2 * VECTOR) {
                add_vectors(by_cell + c, index, columns, rows, stride, sums + c);
            }
            if (c < stride) {
                add_vector(by_cell + c, index, columns, rows, stride, sums + c);
            }
        }
        copy_scores(sums, stride, task->scores + start * task->class_count, task->class_count, rows);
    }
    return (Fault){FINE, 0, 0};
}

/* For few rows: the table as it is. */
static Fault
score_in_place(const Task *task)
{
    uint32_t code[SCORE_ROWS], group[SCORE_ROWS];
    for (size_t start = 0; start < task->rows; start += SCORE_ROWS) {
        size_t rows = task->rows - start < SCORE_ROWS ? task->rows - start : SCORE_ROWS;
        size_t good = load_groups(task, start, rows, group);
        if (good < rows) {
            return (Fault){BAD_GROUP, 0, start + good};
        }
        copy_starts(task, group, rows, task->class_count, task->scores + start * task->class_count);
        for (size_t j = 0; j < task->column_count; j++) {
            good = load_codes(&task->columns[j], start, rows, block_width(task->offset, j), code);
            if (good < rows) {
                return (Fault){BAD_CODE, j, start + good};
            }
            for (size_t i = 0; i < rows; i++) {
                const double *entry =
                    task->table + group[i] * task->class_count * task->width + task->offset[j] + code[i];
                double *sums = task->scores + (start + i) * task->class_count;
                for (size_t c = 0; c < task->class_count; c++) {
                    sums[c] += entry[c * task->width];
                }
            }
        }
    }
    return (Fault){FINE, 0, 0};
}

Fault
score(const Task *task)
{
    Fault fault = {NO_MEMORY, 0, 0};
    size_t stride = (task->class_count + VECTOR - 1) / VECTOR * VECTOR, spare = LINE / sizeof(double);
    size_t cells = task->width * task->group_count;
    if (task->class_count == 0 || cells > UINT32_MAX / stride || task->rows * task->column_count < 2 * cells) {
        return score_in_place(task);
    }
    double *by_cell = calloc(cells * stride + spare, sizeof(double));
    double *starts = calloc(task->group_count * stride + spare, sizeof(double));
    double *sums = calloc(SCORE_ROWS * stride + spare, sizeof(double));
    uint32_t(*index)[SCORE_ROWS] = malloc(SCORE_COLUMNS * sizeof *index);
    if (by_cell != NULL && starts != NULL && sums != NULL && index != NULL) {
        transpose(task, stride, ALIGNED(by_cell));
        for (size_t g = 0; g < task->group_count; g++) {
            memcpy(starts + g * stride, task->start + g * task->class_count, task->class_count * sizeof *starts);
        }
        fault = score_in_blocks(task, stride, ALIGNED(by_cell), starts, ALIGNED(sums), index);
    }
    free(index);
    free(sums);
    free(starts);
    free(by_cell);
    return fault;
}
