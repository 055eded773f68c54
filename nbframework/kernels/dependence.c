/* parent_sums: the log of the sum over all parents of P(class, parent) times the product of P(child | class, parent).
 *
 * Tables have the classes of one cell side by side, padded to whole vectors. One parent after the other is added to the
 * sums of a block of rows; those that share its value follow one another, so that the table given this value stays in
 * the first cache. Each product runs over the columns in their order; the sums are kept relative to their largest term,
 * and the exponentials are our own.
 */

#include "fused.h"
#include "kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VECTOR 4
#define BLOCK_ROWS_OF_SUMS 2048
#define TOGETHER 16
#define SIDE_BY_SIDE 4

/* Doubles side by side that may lie anywhere, one where the compiler has no such type. */
#if defined(__GNUC__)
typedef double Four __attribute__((vector_size(4 * sizeof(double)), aligned(sizeof(double))));
typedef double Eight __attribute__((vector_size(8 * sizeof(double)), aligned(sizeof(double))));
#define STEP (2 * VECTOR)
#else
typedef double Four;
typedef double Eight;
#define STEP 1
#endif

typedef struct {
    const Integers *columns;
    size_t column_count;
    size_t rows;
    const size_t *offset;
    const Doubles *tables; /* of each parent (values, cells, stride) */
    const double *start;   /* (cells, stride) */
    const double *log_weight;
    size_t class_count;
    size_t stride;
    size_t width;
    double *sums;

    /* For a block of rows. */
    uint32_t *code;  /* of each column, row by row */
    uint32_t *place; /* of each row, column by column: where the entries of its cell begin */
    double *top;     /* of each row and class: the largest term, */
    double *total;   /* and the sum of all terms over it */
    double *terms, *few; /* of a few rows: their terms, and what is made of them */
} Task;

/* Add up the entries of a few rows, whose sums do not wait for each other, for some classes. */
#define ADDER(NAME, ROWS, LANES)                                                                                      \
    INLINE void NAME(const Task *task, const double *table, const double *start, double log_weight,                   \
                     const uint32_t *row, double *term)                                                               \
    {                                                                                                                 \
        const uint32_t *place[ROWS];                                                                                  \
        LANES sum[ROWS];                                                                                              \
        for (size_t r = 0; r < ROWS; r++) {                                                                           \
            place[r] = task->place + row[r] * task->column_count;                                                     \
            sum[r] = *(const LANES *)start;                                                                           \
        }                                                                                                             \
        for (size_t j = 0; j < task->column_count; j++) {                                                             \
            for (size_t r = 0; r < ROWS; r++) {                                                                       \
                sum[r] += *(const LANES *)(table + place[r][j]);                                                      \
            }                                                                                                         \
        }                                                                                                             \
        for (size_t r = 0; r < ROWS; r++) {                                                                           \
            *(LANES *)(term + r * task->stride) = sum[r] + log_weight;                                                \
        }                                                                                                             \
    }

ADDER(add_vector, 1, Four)
ADDER(add_vectors, 1, Eight)
ADDER(add_vector_of_rows, SIDE_BY_SIDE, Four)
ADDER(add_vectors_of_rows, SIDE_BY_SIDE, Eight)

/* Write the terms of a parent's value for a few rows. */
DISPATCHED static void
write_terms(const Task *task, size_t parent, uint32_t value, const uint32_t *row, size_t rows)
{
    const size_t stride = task->stride, cell = task->offset[parent] + value;
    const double *table = task->tables[parent].data + (size_t)value * task->width * stride;
    const double *start = task->start + cell * stride, log_weight = task->log_weight[cell];
    for (size_t c = 0; c < stride; c += STEP) {
        const double *entries = table + c, *first = start + c;
        const int both = STEP > 1 && c + 2 * VECTOR <= stride;
        size_t i = 0;
        for (; i + SIDE_BY_SIDE <= rows; i += SIDE_BY_SIDE) {
            double *term = task->terms + i * stride + c;
            if (both) {
                add_vectors_of_rows(task, entries, first, log_weight, row + i, term);
            } else {
                add_vector_of_rows(task, entries, first, log_weight, row + i, term);
            }
        }
        for (; i < rows; i++) {
            double *term = task->terms + i * stride + c;
            if (both) {
                add_vectors(task, entries, first, log_weight, row + i, term);
            } else {
                add_vector(task, entries, first, log_weight, row + i, term);
            }
        }
    }
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

/* Add the terms of a few rows to their sums. */
INLINE void
add_terms(const Task *task, const uint32_t *row, size_t rows)
{
    const size_t stride = task->stride, all = TOGETHER * stride;
    double *lower = task->few, *share = lower + all, *top = share + all, *total = top + all;
    for (size_t i = 0; i < rows; i++) {
        for (size_t c = 0; c < stride; c += VECTOR) {
            memcpy(top + i * stride + c, task->top + row[i] * stride + c, VECTOR * sizeof(double));
            memcpy(total + i * stride + c, task->total + row[i] * stride + c, VECTOR * sizeof(double));
        }
    }
    add_to_sums(rows * stride, task->terms, lower, share, top, total);
    for (size_t i = 0; i < rows; i++) {
        for (size_t c = 0; c < stride; c += VECTOR) {
            memcpy(task->top + row[i] * stride + c, top + i * stride + c, VECTOR * sizeof(double));
            memcpy(task->total + row[i] * stride + c, total + i * stride + c, VECTOR * sizeof(double));
        }
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
            write_terms(task, parent, (uint32_t)value, row + i, few);
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

static Fault
sum_parents(Task *task)
{
    Fault fault = {NO_MEMORY, 0, 0};
    const size_t block = BLOCK_ROWS_OF_SUMS, stride = task->stride;
    task->code = malloc((task->column_count * block + 1) * sizeof *task->code);
    task->place = malloc((task->column_count * block + 1) * sizeof *task->place);
    task->top = malloc((block * stride + 1) * sizeof *task->top);
    task->total = malloc((block * stride + 1) * sizeof *task->total);
    task->terms = malloc((TOGETHER * stride + 1) * sizeof *task->terms);
    task->few = malloc((4 * TOGETHER * stride + 1) * sizeof *task->few);
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

/* Open the table of each parent, which has to have an entry for each of its codes that may be a parent. */
static int
open_tables(PyObject *tuple, const Task *task, Doubles *tables)
{
    if ((size_t)PyTuple_Size(tuple) != task->column_count) {
        PyErr_Format(PyExc_ValueError, "tables: expected %zu, one for each column", task->column_count);
        return -1;
    }
    for (size_t j = 0; j < task->column_count; j++) {
        if (open_doubles(PyTuple_GetItem(tuple, (Py_ssize_t)j), "tables", 3, 0, &tables[j]) < 0) {
            return -1;
        }
        const Py_ssize_t *shape = tables[j].buffer.shape;
        if ((size_t)shape[1] != task->width || (size_t)shape[2] != task->stride) {
            PyErr_Format(PyExc_ValueError, "table %zu: expected (values, %zu, %zu), found (%zd, %zd, %zd)", j,
                         task->width, task->stride, shape[0], shape[1], shape[2]);
            return -1;
        }
        for (size_t value = (size_t)shape[0]; task->offset[j] + value < task->offset[j + 1]; value++) {
            if (task->log_weight[task->offset[j] + value] > -INFINITY) {
                PyErr_Format(PyExc_ValueError, "table %zu: expected an entry for code %zu, found %zd codes", j, value,
                             shape[0]);
                return -1;
            }
        }
    }
    return 0;
}

/* parent_sums(columns, offset, tables, start, log_weight, sums): fills the sums. */
PyObject *
kernel_parent_sums(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *columns, *offset, *tables, *start, *log_weight, *sums, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "O!OO!OOO:parent_sums", &PyTuple_Type, &columns, &offset, &PyTuple_Type, &tables,
                          &start, &log_weight, &sums)) {
        return NULL;
    }
    Task task = {0};
    Doubles first = {.open = 0}, weight = {.open = 0}, out = {.open = 0}, *opened = NULL;
    Integers *codes = NULL;
    size_t *borders = NULL, length = 0;
    if (open_doubles(start, "start", 2, 0, &first) < 0 || open_doubles(log_weight, "log_weight", 1, 0, &weight) < 0 ||
        open_doubles(sums, "sums", 2, 1, &out) < 0 ||
        (codes = open_columns(columns, &task.column_count, &length)) == NULL) {
        goto done;
    }
    task.width = (size_t)first.buffer.shape[0];
    task.stride = (size_t)first.buffer.shape[1];
    task.rows = (size_t)out.buffer.shape[0];
    task.class_count = (size_t)out.buffer.shape[1];
    borders = read_offset(offset, task.column_count, task.width);
    if (borders == NULL) {
        goto done;
    }
    if (task.column_count == 0 || task.rows != length || weight.length != task.width || task.stride % VECTOR != 0 ||
        task.class_count > task.stride || task.width > UINT32_MAX / (task.stride + 1)) {
        PyErr_Format(PyExc_ValueError,
                     "parent_sums: expected columns of %zu rows, %zu weights and classes padded to a multiple of %d, "
                     "found sums of (%zu, %zu), %zu weights and %zu padded classes",
                     length, task.width, VECTOR, task.rows, task.class_count, weight.length, task.stride);
        goto done;
    }
    task.columns = codes;
    task.offset = borders;
    task.start = first.data;
    task.log_weight = weight.data;
    task.sums = out.data;
    opened = PyMem_Calloc(task.column_count, sizeof *opened);
    if (opened == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    if (open_tables(tables, &task, opened) < 0) {
        goto done;
    }
    task.tables = opened;
    Fault fault;
    Py_BEGIN_ALLOW_THREADS
    fault = sum_parents(&task);
    Py_END_ALLOW_THREADS
    result = none_or_raise(fault);
done:
    for (size_t j = 0; opened != NULL && j < task.column_count; j++) {
        close_doubles(&opened[j]);
    }
    PyMem_Free(opened);
    PyMem_Free(borders);
    close_columns(codes, task.column_count);
    close_doubles(&out);
    close_doubles(&weight);
    close_doubles(&first);
    return result;
}
