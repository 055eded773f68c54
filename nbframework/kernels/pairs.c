/* pair_counts: how often each value of each column occurs together with each value of each column, class by class.
 *
 * The rows of a class are taken in blocks. Where columns have few values, each value becomes a row of bits, one bit
 * for each row of the block, and a count is the number of bits that two values share. The last value of a column that
 * is known everywhere needs no bits: its counts are the margin minus the others. Small whole weights are counted bit
 * by bit: the rows whose weight has bit p count 2^p. Where columns have many values, or weights are no small whole
 * numbers, each row increments the cell of its two values, in the order of the rows.
 */

#include "kernels.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK_ROWS ((size_t)1 << 16)
#define MOST_ROWS 8192
#define WORD 64
#define BUFFER_BYTES ((size_t)2 << 20)
#define MOST_PLANES 4
#define INCREMENT 3         /* the price of an increment, in words compared */
#define WIDE_INCREMENT 8   /* the same where the bits of many words are counted at once */
#define MOST_VALUES 512     /* WIDE_INCREMENT * WORD: more values are never cheaper by bits */
#define TILE 32

typedef struct {
    const Integers *columns;
    size_t column_count;
    size_t length;
    const size_t *first;
    size_t width;
    const Integers *classes;
    size_t class_count;
    const double *weights;
    const Integers *rows;
    double *table;
} Task;

/* What is known of a column in a block of rows. */
typedef struct {
    size_t values;   /* how many values it has */
    size_t explicit; /* how many of them have rows of bits, 0 where there are none */
    uint32_t *code;
    uint64_t *bits;
    uint32_t *margin;
} Column;

typedef struct {
    size_t most; /* rows of a block, a multiple of WORD */
    uint32_t *group;
    size_t *row;
    uint8_t *plane;
    uint32_t *order;
    size_t *border;
    Column *column;
    uint32_t *code;
    uint64_t *bits;
    uint32_t *margin;
    size_t taken[MOST_ROWS];
    double weight[MOST_ROWS];
    uint32_t pair[2 * (MOST_VALUES + 1)];
} Buffers;

/* --- bits ------------------------------------------------------------------------------------------------------- */

#if defined(__GNUC__)
#define BITS(word) ((uint32_t)__builtin_popcountll(word))
#else
static uint32_t
BITS(uint64_t word)
{
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (uint32_t)((word * 0x0101010101010101u) >> 56);
}
#endif

/* Count the bits that a row of bits shares with each of up to four. */
#define SHARED(TOGETHER)                                                                                              \
    {                                                                                                                 \
        uint64_t sum[TOGETHER] = {0};                                                                                 \
        for (size_t w = 0; w < words; w++) {                                                                          \
            for (size_t k = 0; k < TOGETHER; k++) {                                                                   \
                sum[k] += BITS(a[w] & b[k * words + w]);                                                              \
            }                                                                                                         \
        }                                                                                                             \
        for (size_t k = 0; k < TOGETHER; k++) {                                                                       \
            out[u * stride + v + k] = (uint32_t)sum[k];                                                               \
        }                                                                                                             \
        v += TOGETHER;                                                                                                \
    }

/* Count the bits that each of m rows of bits shares with each of n. */
INLINE void
shared_bits(const uint64_t *restrict one, size_t m, const uint64_t *restrict other, size_t n, size_t words,
            uint32_t *restrict out, size_t stride)
{
    for (size_t u = 0; u < m; u++) {
        const uint64_t *a = one + u * words;
        for (size_t v = 0; v < n;) {
            const uint64_t *b = other + v * words;
            if (n - v >= 4) {
                SHARED(4)
            } else if (n - v == 3) {
                SHARED(3)
            } else if (n - v == 2) {
                SHARED(2)
            } else {
                SHARED(1)
            }
        }
    }
}

DISPATCHED static void
count_shared(const uint64_t *one, size_t m, const uint64_t *other, size_t n, size_t words, uint32_t *out,
             size_t stride)
{
    shared_bits(one, m, other, n, words, out, stride);
}

WIDE_BITS static void
count_shared_widely(const uint64_t *one, size_t m, const uint64_t *other, size_t n, size_t words, uint32_t *out,
                    size_t stride)
{
    shared_bits(one, m, other, n, words, out, stride);
}

DISPATCHED static void
count_bits(const uint64_t *restrict bits, size_t rows, size_t words, uint32_t *restrict out)
{
    for (size_t v = 0; v < rows; v++) {
        uint32_t sum = 0;
        for (size_t w = 0; w < words; w++) {
            sum += BITS(bits[v * words + w]);
        }
        out[v] = sum;
    }
}

DISPATCHED static uint32_t
largest_of(const uint32_t *code, size_t count)
{
    uint32_t largest = 0;
    for (size_t i = 0; i < count; i++) {
        largest = code[i] > largest ? code[i] : largest;
    }
    return largest;
}

static void
pack(const uint32_t *code, size_t count, size_t words, size_t values, uint64_t *bits)
{
    uint64_t of_value[MOST_VALUES + 1];
    for (size_t w = 0; w < words; w++) {
        size_t from = w * WORD, rows = count - from < WORD ? count - from : WORD;
        memset(of_value, 0, (values + 1) * sizeof *of_value);
        for (size_t i = 0; i < rows; i++) {
            size_t value = code[from + i] < values ? code[from + i] : values;
            of_value[value] |= (uint64_t)1 << i;
        }
        for (size_t v = 0; v < values; v++) {
            bits[v * words + w] = of_value[v];
        }
    }
}

/* --- the parts of a block --------------------------------------------------------------------------------------- */

/* Load the codes of the rows taken, count single values, and lay out the bits. */
static Fault
load_column(const Task *task, size_t j, const size_t *taken, size_t count, double unit, const double *weight,
            double *table, Column *column)
{
    size_t values = column->values = task->first[j + 1] - task->first[j], words = (count + WORD - 1) / WORD;
    size_t good = gather_codes(&task->columns[j], taken, count, (uint32_t)1 << 31, column->code);
    if (good < count) {
        return (Fault){BAD_CODE, j, taken[good]};
    }
    double *diagonal = table + task->first[j] * (task->width + 1);
    column->explicit = 0;
    if (weight != NULL || values > MOST_VALUES) {
        for (size_t i = 0; i < count; i++) {
            if (column->code[i] < values) {
                diagonal[column->code[i] * (task->width + 1)] += weight != NULL ? weight[i] : unit;
            }
        }
        return (Fault){FINE, 0, 0};
    }
    if (values == 0) {
        return (Fault){FINE, 0, 0};
    }
    int known = largest_of(column->code, count) < values;
    column->explicit = known && values > 1 ? values - 1 : values;
    pack(column->code, count, words, column->explicit, column->bits);
    count_bits(column->bits, column->explicit, words, column->margin);
    if (column->explicit < values) {
        uint32_t rest = (uint32_t)count;
        for (size_t v = 0; v < column->explicit; v++) {
            rest -= column->margin[v];
        }
        column->margin[column->explicit] = rest;
    }
    for (size_t v = 0; v < values; v++) {
        diagonal[v * (task->width + 1)] += unit * column->margin[v];
    }
    return (Fault){FINE, 0, 0};
}

static void
add_by_bits(const Column *one, const Column *other, size_t words, double unit, size_t width, double *corner,
            uint32_t *pair)
{
    size_t m = one->explicit, n = other->explicit, stride = other->values;
    (HAS_WIDE_BITS ? count_shared_widely : count_shared)(one->bits, m, other->bits, n, words, pair, stride);
    if (n < stride) {
        for (size_t u = 0; u < m; u++) {
            uint32_t rest = one->margin[u];
            for (size_t v = 0; v < n; v++) {
                rest -= pair[u * stride + v];
            }
            pair[u * stride + n] = rest;
        }
    }
    if (m < one->values) {
        for (size_t v = 0; v < stride; v++) {
            uint32_t rest = other->margin[v];
            for (size_t u = 0; u < m; u++) {
                rest -= pair[u * stride + v];
            }
            pair[m * stride + v] = rest;
        }
    }
    for (size_t u = 0; u < one->values; u++) {
        for (size_t v = 0; v < stride; v++) {
            corner[u * width + v] += unit * pair[u * stride + v];
        }
    }
}

static void
add_by_increments(const Column *one, const Column *other, size_t count, double unit, const double *weight,
                  size_t width, double *corner)
{
    const uint32_t *u = one->code, *v = other->code;
    for (size_t i = 0; i < count; i++) {
        if (u[i] < one->values && v[i] < other->values) {
            corner[u[i] * width + v[i]] += weight != NULL ? weight[i] : unit;
        }
    }
}

/* Count the rows of one class that `order` lists, each as `unit` or as its weight. */
static Fault
count_block(const Task *task, size_t c, size_t start, const uint32_t *order, size_t count, double unit, int weighted,
            Buffers *buffers)
{
    double *table = task->table + c * task->width * task->width, *weight = weighted ? buffers->weight : NULL;
    size_t words = (count + WORD - 1) / WORD, increment = HAS_WIDE_BITS ? WIDE_INCREMENT : INCREMENT;
    for (size_t i = 0; i < count; i++) {
        buffers->taken[i] = task->rows != NULL ? buffers->row[order[i]] : start + order[i];
        if (weighted) {
            weight[i] = task->weights[start + order[i]];
        }
    }
    for (size_t j = 0; j < task->column_count; j++) {
        Fault fault = load_column(task, j, buffers->taken, count, unit, weight, table, &buffers->column[j]);
        if (fault.kind != FINE) {
            return fault;
        }
    }
    for (size_t i = 0; i < task->column_count; i++) {
        const Column *one = &buffers->column[i];
        for (size_t j = i + 1; j < task->column_count; j++) {
            const Column *other = &buffers->column[j];
            double *corner = table + task->first[i] * task->width + task->first[j];
            size_t compared = one->explicit * other->explicit;
            if (compared > 0 && compared * words <= increment * count && compared <= MOST_VALUES) {
                add_by_bits(one, other, words, unit, task->width, corner, buffers->pair);
            } else {
                add_by_increments(one, other, count, unit, weight, task->width, corner);
            }
        }
    }
    return (Fault){FINE, 0, 0};
}

/* --- all of it -------------------------------------------------------------------------------------------------- */

/* Write the weights of a chunk as small whole numbers; their largest bit, or MOST_PLANES where some are not such. */
static size_t
find_planes(const double *weights, size_t count, uint8_t *plane)
{
    unsigned all = 0;
    for (size_t i = 0; i < count; i++) {
        double weight = weights != NULL ? weights[i] : 1.0;
        if (!(weight >= 0.0 && weight < 1 << MOST_PLANES) || weight != (double)(uint8_t)weight) {
            return MOST_PLANES;
        }
        plane[i] = (uint8_t)weight;
        all |= plane[i];
    }
    size_t top = 0;
    while (all >> (top + 1) != 0) {
        top++;
    }
    return top;
}

/* List the rows of a chunk whose weight has one of the bits in `mask`, class by class, each class in order. */
static void
sort_by_class(const Buffers *buffers, size_t count, size_t class_count, unsigned mask)
{
    size_t *border = buffers->border;
    memset(border, 0, (class_count + 1) * sizeof *border);
    for (size_t i = 0; i < count; i++) {
        border[buffers->group[i] + 1] += (buffers->plane[i] & mask) != 0;
    }
    for (size_t c = 0; c < class_count; c++) {
        border[c + 1] += border[c];
    }
    for (size_t i = 0; i < count; i++) {
        if (buffers->plane[i] & mask) {
            buffers->order[border[buffers->group[i]]++] = (uint32_t)i;
        }
    }
    memmove(border + 1, border, class_count * sizeof *border);
    border[0] = 0;
}

static Fault
count_plane(const Task *task, size_t start, size_t count, unsigned mask, double unit, int weighted, Buffers *buffers)
{
    sort_by_class(buffers, count, task->class_count, mask);
    for (size_t c = 0; c < task->class_count; c++) {
        for (size_t first = buffers->border[c]; first < buffers->border[c + 1]; first += buffers->most) {
            size_t left = buffers->border[c + 1] - first, rows = left < buffers->most ? left : buffers->most;
            Fault fault = count_block(task, c, start, buffers->order + first, rows, unit, weighted, buffers);
            if (fault.kind != FINE) {
                return fault;
            }
        }
    }
    return (Fault){FINE, 0, 0};
}

static Fault
count_chunk(const Task *task, size_t start, size_t count, Buffers *buffers)
{
    uint32_t limit = task->class_count < UINT32_MAX ? (uint32_t)task->class_count : UINT32_MAX;
    size_t good = load_codes(task->classes, start, count, limit, buffers->group);
    if (good < count) {
        return (Fault){BAD_CLASS, 0, start + good};
    }
    if (task->rows != NULL) {
        good = load_rows(task->rows, start, count, task->length, buffers->row);
        if (good < count) {
            return (Fault){BAD_ROW, 0, start + good};
        }
    }
    size_t top = find_planes(task->weights != NULL ? task->weights + start : NULL, count, buffers->plane);
    if (top == MOST_PLANES) {
        memset(buffers->plane, 1, count);
        return count_plane(task, start, count, 1, 1.0, 1, buffers);
    }
    for (size_t p = 0; p <= top; p++) {
        Fault fault = count_plane(task, start, count, 1u << p, (double)(1u << p), 0, buffers);
        if (fault.kind != FINE) {
            return fault;
        }
    }
    return (Fault){FINE, 0, 0};
}

/* Copy what was counted above the diagonal to the cells below it. */
static void
mirror(double *table, size_t width)
{
    for (size_t top = 0; top < width; top += TILE) {
        for (size_t left = top; left < width; left += TILE) {
            for (size_t u = top; u < top + TILE && u < width; u++) {
                for (size_t v = left > u ? left : u + 1; v < left + TILE && v < width; v++) {
                    table[v * width + u] = table[u * width + v];
                }
            }
        }
    }
}

/* How many rows a block may have, so that codes and bits stay within the buffer. */
static size_t
block_rows(const Task *task, size_t packed)
{
    size_t rows = MOST_ROWS;
    while (rows > WORD && rows * task->column_count * sizeof(uint32_t) + rows / 8 * packed > BUFFER_BYTES) {
        rows /= 2;
    }
    return rows;
}

/* Give each column its place in the buffers. */
static void
lay_out(const Task *task, Buffers *buffers)
{
    uint64_t *bits = buffers->bits;
    uint32_t *margin = buffers->margin;
    for (size_t j = 0; j < task->column_count; j++) {
        size_t values = task->first[j + 1] - task->first[j], packed = values <= MOST_VALUES ? values : 0;
        buffers->column[j].code = buffers->code + j * buffers->most;
        buffers->column[j].bits = bits;
        buffers->column[j].margin = margin;
        bits += packed * (buffers->most / WORD);
        margin += packed;
    }
}

static Fault
count_all(const Task *task)
{
    size_t total = task->classes->length, chunk = total < CHUNK_ROWS ? total : CHUNK_ROWS, packed = 0;
    Fault fault = {NO_MEMORY, 0, 0};
    for (size_t j = 0; j < task->column_count; j++) {
        size_t values = task->first[j + 1] - task->first[j];
        packed += values <= MOST_VALUES ? values : 0;
    }
    Buffers *buffers = calloc(1, sizeof *buffers);
    if (buffers == NULL) {
        return fault;
    }
    buffers->most = block_rows(task, packed);
    buffers->group = malloc((chunk + 1) * sizeof *buffers->group);
    buffers->row = malloc(((task->rows != NULL ? chunk : 0) + 1) * sizeof *buffers->row);
    buffers->plane = malloc(chunk + 1);
    buffers->order = malloc((chunk + 1) * sizeof *buffers->order);
    buffers->border = malloc((task->class_count + 2) * sizeof *buffers->border);
    buffers->column = malloc((task->column_count + 1) * sizeof *buffers->column);
    buffers->code = malloc((task->column_count * buffers->most + 1) * sizeof *buffers->code);
    buffers->bits = malloc((packed * (buffers->most / WORD) + 1) * sizeof *buffers->bits);
    buffers->margin = malloc((packed + 1) * sizeof *buffers->margin);
    if (buffers->group != NULL && buffers->row != NULL && buffers->plane != NULL && buffers->order != NULL &&
        buffers->border != NULL && buffers->column != NULL && buffers->code != NULL && buffers->bits != NULL &&
        buffers->margin != NULL) {
        lay_out(task, buffers);
        fault = (Fault){FINE, 0, 0};
        for (size_t start = 0; fault.kind == FINE && start < total; start += chunk) {
            fault = count_chunk(task, start, total - start < chunk ? total - start : chunk, buffers);
        }
    }
    free(buffers->margin);
    free(buffers->bits);
    free(buffers->code);
    free(buffers->column);
    free(buffers->border);
    free(buffers->order);
    free(buffers->plane);
    free(buffers->row);
    free(buffers->group);
    free(buffers);
    for (size_t c = 0; fault.kind == FINE && c < task->class_count; c++) {
        mirror(task->table + c * task->width * task->width, task->width);
    }
    return fault;
}

/* pair_counts(columns, first, classes, weights, rows, table): adds to a table of zeros. */
PyObject *
kernel_pair_counts(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *columns, *first, *classes, *weights, *rows, *table, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "O!OOOOO:pair_counts", &PyTuple_Type, &columns, &first, &classes, &weights, &rows,
                          &table)) {
        return NULL;
    }
    Doubles out = {.open = 0}, weight = {.open = 0};
    Integers group = {.open = 0}, picked = {.open = 0}, *codes = NULL;
    Task task = {0};
    size_t *borders = NULL;
    if (open_doubles(table, "table", 3, 1, &out) < 0 || open_integers(classes, "classes", &group) < 0 ||
        (weights != Py_None && open_doubles(weights, "weights", 1, 0, &weight) < 0) ||
        (rows != Py_None && open_integers(rows, "rows", &picked) < 0)) {
        goto done;
    }
    task.class_count = (size_t)out.buffer.shape[0];
    task.table = out.data;
    task.width = (size_t)out.buffer.shape[1];
    if ((size_t)out.buffer.shape[2] != task.width) {
        PyErr_Format(PyExc_ValueError, "table: expected %zu cells in both directions, found %zd", task.width,
                     out.buffer.shape[2]);
        goto done;
    }
    codes = open_columns(columns, &task.column_count, &task.length);
    if (codes == NULL) {
        goto done;
    }
    borders = read_offset(first, task.column_count, task.width);
    if (borders == NULL) {
        goto done;
    }
    if (weights != Py_None && weight.length != group.length) {
        PyErr_Format(PyExc_ValueError, "weights: expected %zu, one for each row, found %zu", group.length,
                     weight.length);
        goto done;
    }
    if (rows != Py_None ? picked.length != group.length : task.column_count && task.length != group.length) {
        PyErr_Format(PyExc_ValueError, "classes: expected %zu, one for each row, found %zu",
                     rows != Py_None ? picked.length : task.length, group.length);
        goto done;
    }
    if (task.column_count == 0) {
        task.length = SIZE_MAX;
    }
    task.columns = codes;
    task.first = borders;
    task.classes = &group;
    task.weights = weights != Py_None ? weight.data : NULL;
    task.rows = rows != Py_None ? &picked : NULL;
    Fault fault;
    Py_BEGIN_ALLOW_THREADS
    fault = count_all(&task);
    Py_END_ALLOW_THREADS
    if (fault.kind != FINE) {
        raise_fault(fault);
        goto done;
    }
    result = Py_NewRef(Py_None);
done:
    PyMem_Free(borders);
    close_columns(codes, task.column_count);
    close_integers(&picked);
    close_doubles(&weight);
    close_integers(&group);
    close_doubles(&out);
    return result;
}
