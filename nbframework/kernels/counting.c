/* class_counts: how often each code of each column occurs in each class.
 *
 * Without weights, neighbouring columns are counted together: class and codes of a row make one key of a joint table
 * that stays in the first cache, one increment serves several columns, and the joint table is summed up at the end of
 * a chunk of rows. A second table takes every other row, because two increments of one cell in a row wait for each
 * other. With weights, or where already one column's table is large compared with the rows, the sums are made in
 * place, in the order of the rows.
 */

#include "kernels.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK_ROWS ((size_t)62 * BLOCK_ROWS) /* half of them are less than 2^16, the limit of a table's counts */
#define MOST_KEYS 6144
#define ROWS_PER_KEY 8
#define MOST_JOINED 6

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

/* The buffers: classes and row indexes of a chunk, codes and keys of a block in it, and the joint tables. */
typedef struct {
    uint32_t *group;
    uint16_t *narrow; /* the same, where a joint table may be made */
    size_t *rows;
    uint32_t code[BLOCK_ROWS];
    uint16_t key[BLOCK_ROWS];
    uint16_t half[2 * MOST_KEYS];
    uint32_t joint[MOST_KEYS];
    uint32_t margin[MOST_KEYS];
} Buffers;

static size_t
width_of(const Table *table, size_t j)
{
    return table->offset[j + 1] - table->offset[j];
}

static Fault
load_chunk(const Table *table, size_t start, size_t count, Buffers *buffers)
{
    uint32_t limit = table->class_count < UINT32_MAX ? (uint32_t)table->class_count : UINT32_MAX;
    size_t good = load_codes(table->classes, start, count, limit, buffers->group);
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

/* Load the codes of one block; `start` is the chunk's first row, `first` the block's place in the chunk. */
static Fault
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

/* --- joint tables ----------------------------------------------------------------------------------------------- */

DISPATCHED static void
extend_keys(const uint32_t *restrict code, uint16_t width, size_t count, uint16_t *restrict key)
{
    for (size_t i = 0; i < count; i++) {
        key[i] = (uint16_t)(key[i] * width + code[i]);
    }
}

/* The same from bytes, of one column or of two at a time; the largest ones that were found. */
typedef struct {
    uint8_t one;
    uint8_t two;
} Largest;

#define EXTENDERS(BY_BYTES, BY_TWO, PARAMETERS, BASE)                                                                 \
    DISPATCHED static Largest BY_BYTES(PARAMETERS const uint8_t *restrict code, uint16_t width, size_t count,         \
                                       uint16_t *restrict key)                                                        \
    {                                                                                                                 \
        uint8_t largest = 0;                                                                                          \
        for (size_t i = 0; i < count; i++) {                                                                          \
            largest = code[i] > largest ? code[i] : largest;                                                          \
        }                                                                                                             \
        for (size_t i = 0; i < count; i++) {                                                                          \
            key[i] = (uint16_t)(BASE[i] * width + code[i]);                                                           \
        }                                                                                                             \
        return (Largest){largest, 0};                                                                                 \
    }                                                                                                                 \
    DISPATCHED static Largest BY_TWO(PARAMETERS const uint8_t *restrict code, const uint8_t *restrict other,          \
                                     uint16_t width, uint16_t other_width, size_t count, uint16_t *restrict key)      \
    {                                                                                                                 \
        uint8_t one = 0, two = 0;                                                                                     \
        for (size_t i = 0; i < count; i++) {                                                                          \
            one = code[i] > one ? code[i] : one;                                                                      \
            two = other[i] > two ? other[i] : two;                                                                    \
        }                                                                                                             \
        for (size_t i = 0; i < count; i++) {                                                                          \
            key[i] = (uint16_t)((BASE[i] * width + code[i]) * other_width + other[i]);                                \
        }                                                                                                             \
        return (Largest){one, two};                                                                                   \
    }

#define FROM_GROUP const uint16_t *restrict group,
EXTENDERS(start_keys_by_bytes, start_keys_by_two, FROM_GROUP, group)
EXTENDERS(extend_keys_by_bytes, extend_keys_by_two, , key)

/* Extend the keys of a block by up to two dense columns of bytes; returns how many, 0 where a code is out of place. */
static size_t
extend_densely(const Table *table, size_t j, size_t left, int is_first, size_t start, size_t first, size_t count,
               Buffers *buffers)
{
    const uint8_t *one = dense_bytes(&table->columns[j], start + first);
    const uint8_t *two = left > 1 ? dense_bytes(&table->columns[j + 1], start + first) : NULL;
    const uint16_t *group = buffers->narrow + first, width = (uint16_t)width_of(table, j);
    uint16_t *key = buffers->key;
    if (table->rows != NULL || one == NULL) {
        return 0;
    }
    if (two == NULL) {
        Largest largest = is_first ? start_keys_by_bytes(group, one, width, count, key)
                                   : extend_keys_by_bytes(one, width, count, key);
        return largest.one < width ? 1 : 0;
    }
    uint16_t other = (uint16_t)width_of(table, j + 1);
    Largest largest = is_first ? start_keys_by_two(group, one, two, width, other, count, key)
                               : extend_keys_by_two(one, two, width, other, count, key);
    return largest.one < width && largest.two < other ? 2 : 0;
}

/* Ask early for the bytes of the next block, which lies a block further on in each column. */
static void
prefetch_next(const Table *table, size_t j, size_t joined, size_t next, size_t count)
{
    for (size_t k = j; k < j + joined; k++) {
        const uint8_t *bytes = dense_bytes(&table->columns[k], next);
        for (size_t i = 0; bytes != NULL && i < count; i += LINE) {
            PREFETCH(bytes + i);
        }
    }
}

/* Fill the keys of a block. */
static Fault
fill_keys(const Table *table, size_t j, size_t joined, size_t start, size_t first, size_t count, Buffers *buffers)
{
    memcpy(buffers->key, buffers->narrow + first, count * sizeof *buffers->key);
    for (size_t k = j; k < j + joined; k++) {
        Fault fault = load_block(table, k, start, first, count, buffers);
        if (fault.kind != FINE) {
            return fault;
        }
        extend_keys(buffers->code, (uint16_t)width_of(table, k), count, buffers->key);
    }
    return (Fault){FINE, 0, 0};
}

/* The same from columns of bytes; returns whether all were such, and all codes in place. */
static int
fill_keys_densely(const Table *table, size_t j, size_t joined, size_t start, size_t first, size_t count,
                  Buffers *buffers)
{
    for (size_t k = j, added; k < j + joined; k += added) {
        added = extend_densely(table, k, j + joined - k, k == j, start, first, count, buffers);
        if (added == 0) {
            return 0;
        }
    }
    return 1;
}

static void
count_keys(const uint16_t *key, size_t count, uint16_t *first, uint16_t *second)
{
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        first[key[i]]++;
        second[key[i + 1]]++;
        first[key[i + 2]]++;
        second[key[i + 3]]++;
    }
    for (; i < count; i++) {
        first[key[i]]++;
    }
}

/* How many columns from column j on are counted together; 0 where column j is counted in place. */
static size_t
joined_columns(const Table *table, size_t j, size_t chunk)
{
    size_t keys = table->class_count, most = chunk / ROWS_PER_KEY < MOST_KEYS ? chunk / ROWS_PER_KEY : MOST_KEYS;
    size_t joined = 0;
    while (table->weights == NULL && j + joined < table->column_count && joined < MOST_JOINED) {
        size_t width = width_of(table, j + joined);
        if (width == 0 || keys > most / width) {
            break;
        }
        keys *= width;
        joined++;
    }
    return joined;
}

/* Add the margins of the joint table to the result, from the last column to the first. */
static void
add_margins(const Table *table, size_t j, size_t joined, size_t keys, Buffers *buffers)
{
    uint32_t *joint = buffers->joint;
    for (size_t key = 0; key < keys; key++) {
        joint[key] = (uint32_t)buffers->half[key] + buffers->half[keys + key];
    }
    while (joined-- > 0) {
        size_t width = width_of(table, j + joined), before = keys / width, inner = before / table->class_count;
        for (size_t c = 0; c < table->class_count; c++) {
            uint32_t *margin = buffers->margin, *line = joint + c * inner * width;
            memset(margin, 0, width * sizeof *margin);
            for (size_t i = 0; i < inner; i++, line += width) {
                uint32_t sum = 0;
                for (size_t v = 0; v < width; v++) {
                    margin[v] += line[v];
                    sum += line[v];
                }
                joint[c * inner + i] = sum;
            }
            double *to = table->cells + c * table->width + table->offset[j + joined];
            for (size_t v = 0; v < width; v++) {
                to[v] += margin[v];
            }
        }
        keys = before;
    }
}

static Fault
count_jointly(const Table *table, size_t j, size_t joined, size_t start, size_t count, Buffers *buffers)
{
    size_t keys = table->class_count;
    for (size_t k = 0; k < joined; k++) {
        keys *= width_of(table, j + k);
    }
    memset(buffers->half, 0, 2 * keys * sizeof *buffers->half);
    for (size_t first = 0; first < count; first += BLOCK_ROWS) {
        size_t rows = count - first < BLOCK_ROWS ? count - first : BLOCK_ROWS;
        if (!fill_keys_densely(table, j, joined, start, first, rows, buffers)) {
            Fault fault = fill_keys(table, j, joined, start, first, rows, buffers);
            if (fault.kind != FINE) {
                return fault;
            }
        }
        size_t left = count - first - rows;
        prefetch_next(table, j, joined, start + first + rows, left < BLOCK_ROWS ? left : BLOCK_ROWS);
        count_keys(buffers->key, rows, buffers->half, buffers->half + keys);
    }
    add_margins(table, j, joined, keys, buffers);
    return (Fault){FINE, 0, 0};
}

/* --- in place --------------------------------------------------------------------------------------------------- */

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

/* --- all of it -------------------------------------------------------------------------------------------------- */

static Fault
count_chunks(const Table *table, size_t chunk, Buffers *buffers)
{
    for (size_t start = 0; start < table->classes->length; start += chunk) {
        size_t left = table->classes->length - start, count = left < chunk ? left : chunk;
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
    size_t rows = table->classes->length, chunk = rows < CHUNK_ROWS ? rows : CHUNK_ROWS;
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
