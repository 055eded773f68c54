/* log_scores: the sums of the table entries that the codes of each row pick, for all classes.
 *
 * The table is copied with the classes of one cell side by side, padded to whole vectors. Rows are taken in blocks and
 * columns in groups, so that the cell indexes of a block and its sums stay in the first cache; each sum runs over the
 * columns in their order.
 */

#include "kernels.h"

#include <stdlib.h>

#define VECTOR 4
#define LINE 64
#define SCORE_ROWS 128
#define SCORE_COLUMNS 32

typedef struct {
    const Integers *columns;
    size_t column_count;
    size_t rows;
    const size_t *offset;
    const double *table;
    size_t class_count;
    size_t width;
    const double *start;
    double *scores;
} Task;

/* Add the entries that start at `index[column][row]` of one or two vectors of classes to the sums of a block of rows. */
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
                    const double *entry = table + index[j][i + r];                                   \
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
                const double *entry = table + index[j][i];                                           \
                for (size_t c = 0; c < CLASSES; c++) {                                                                \
                    sums[i * stride + c] += entry[c];                                                                 \
                }                                                                                                     \
            }                                                                                                         \
        }                                                                                                             \
    }

ADDER(add_vector, VECTOR, 4)
ADDER(add_vectors, 2 * VECTOR, 2)

static void
transpose(const Task *task, size_t stride, double *by_cell)
{
    for (size_t c = 0; c < task->class_count; c++) {
        const double *from = task->table + c * task->width;
        for (size_t cell = 0; cell < task->width; cell++) {
            by_cell[cell * stride + c] = from[cell];
        }
    }
}

/* Turn the codes of a block into the places of their entries. */
DISPATCHED static void
place_entries(uint32_t border, uint32_t stride, size_t rows, uint32_t *restrict index)
{
    for (size_t i = 0; i < rows; i++) {
        index[i] = (index[i] + border) * stride;
    }
}

static void
copy_scores(const double *restrict from, size_t from_stride, double *restrict to, size_t to_stride, size_t classes,
            size_t rows)
{
    for (size_t i = 0; i < rows; i++) {
        for (size_t c = 0; c < classes; c++) {
            to[i * to_stride + c] = from[i * from_stride + c];
        }
    }
}

static Fault
score_in_blocks(const Task *task, size_t stride, const double *by_cell, double *sums,
                uint32_t (*index)[SCORE_ROWS])
{
    size_t classes = task->class_count;
    for (size_t start = 0; start < task->rows; start += SCORE_ROWS) {
        size_t rows = task->rows - start < SCORE_ROWS ? task->rows - start : SCORE_ROWS;
        copy_scores(task->start, 0, sums, stride, classes, rows);
        for (size_t first = 0; first < task->column_count; first += SCORE_COLUMNS) {
            size_t left = task->column_count - first, columns = left < SCORE_COLUMNS ? left : SCORE_COLUMNS;
            for (size_t j = 0; j < columns; j++) {
                uint32_t limit = block_width(task->offset, first + j);
                size_t good = load_codes(&task->columns[first + j], start, rows, limit, index[j]);
                if (good < rows) {
                    return (Fault){BAD_CODE, first + j, start + good};
                }
                place_entries((uint32_t)task->offset[first + j], (uint32_t)stride, rows, index[j]);
            }
            size_t c = 0;
            for (; c + 2 * VECTOR <= stride; c += 2 * VECTOR) {
                add_vectors(by_cell + c, index, columns, rows, stride, sums + c);
            }
            if (c < stride) {
                add_vector(by_cell + c, index, columns, rows, stride, sums + c);
            }
        }
        copy_scores(sums, stride, task->scores + start * classes, classes, classes, rows);
    }
    return (Fault){FINE, 0, 0};
}

/* For few rows: the table as it is. */
static Fault
score_in_place(const Task *task)
{
    uint32_t code[SCORE_ROWS];
    copy_scores(task->start, 0, task->scores, task->class_count, task->class_count, task->rows);
    for (size_t start = 0; start < task->rows; start += SCORE_ROWS) {
        size_t rows = task->rows - start < SCORE_ROWS ? task->rows - start : SCORE_ROWS;
        for (size_t j = 0; j < task->column_count; j++) {
            size_t good = load_codes(&task->columns[j], start, rows, block_width(task->offset, j), code);
            if (good < rows) {
                return (Fault){BAD_CODE, j, start + good};
            }
            for (size_t i = 0; i < rows; i++) {
                const double *entry = task->table + task->offset[j] + code[i];
                double *sums = task->scores + (start + i) * task->class_count;
                for (size_t c = 0; c < task->class_count; c++) {
                    sums[c] += entry[c * task->width];
                }
            }
        }
    }
    return (Fault){FINE, 0, 0};
}

/* The first place in a memory block where a cache line starts, so that no vector lies across two. */
static double *
aligned(double *memory)
{
    return (double *)(((uintptr_t)memory + LINE - 1) / LINE * LINE);
}

static Fault
score(const Task *task)
{
    Fault fault = {NO_MEMORY, 0, 0};
    size_t stride = (task->class_count + VECTOR - 1) / VECTOR * VECTOR, spare = LINE / sizeof(double);
    if (task->class_count == 0 || task->width > UINT32_MAX / stride ||
        task->rows * task->column_count < 2 * task->width) {
        return score_in_place(task);
    }
    double *by_cell = calloc(task->width * stride + spare, sizeof(double));
    double *sums = calloc(SCORE_ROWS * stride + spare, sizeof(double));
    uint32_t(*index)[SCORE_ROWS] = malloc(SCORE_COLUMNS * sizeof *index);
    if (by_cell != NULL && sums != NULL && index != NULL) {
        transpose(task, stride, aligned(by_cell));
        fault = score_in_blocks(task, stride, aligned(by_cell), aligned(sums), index);
    }
    free(index);
    free(sums);
    free(by_cell);
    return fault;
}

/* log_scores(columns, offset, table, start, scores): fills the scores. */
PyObject *
kernel_log_scores(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *columns, *offset, *table, *start, *scores, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "O!OOOO:log_scores", &PyTuple_Type, &columns, &offset, &table, &start,
                          &scores)) {
        return NULL;
    }
    Doubles entries = {.open = 0}, first = {.open = 0}, out = {.open = 0};
    Task task = {0};
    Integers *codes = NULL;
    size_t *borders = NULL, length = 0;
    if (open_doubles(table, "table", 2, 0, &entries) < 0 || open_doubles(start, "start", 1, 0, &first) < 0 ||
        open_doubles(scores, "scores", 2, 1, &out) < 0) {
        goto done;
    }
    task.class_count = (size_t)entries.buffer.shape[0];
    task.width = (size_t)entries.buffer.shape[1];
    task.rows = (size_t)out.buffer.shape[0];
    codes = open_columns(columns, &task.column_count, &length);
    if (codes == NULL) {
        goto done;
    }
    borders = read_offset(offset, task.column_count, task.width);
    if (borders == NULL) {
        goto done;
    }
    if (first.length != task.class_count || (size_t)out.buffer.shape[1] != task.class_count) {
        PyErr_Format(PyExc_ValueError, "start: expected %zu entries, one for each class, found %zu", task.class_count,
                     first.length);
        goto done;
    }
    if (task.rows != length) {
        PyErr_Format(PyExc_ValueError, "scores: expected %zu rows, found %zu", length, task.rows);
        goto done;
    }
    task.columns = codes;
    task.offset = borders;
    task.table = entries.data;
    task.start = first.data;
    task.scores = out.data;
    Fault fault;
    Py_BEGIN_ALLOW_THREADS
    fault = score(&task);
    Py_END_ALLOW_THREADS
    if (fault.kind != FINE) {
        raise_fault(fault);
        goto done;
    }
    result = Py_NewRef(Py_None);
done:
    PyMem_Free(borders);
    close_columns(codes, task.column_count);
    close_doubles(&out);
    close_doubles(&first);
    close_doubles(&entries);
    return result;
}
