/* Joint tables: class and codes of a row make one key, and one increment serves several columns.
 *
 * A second table takes every other row, because two increments of one cell in a row wait for each other. The joint
 * table is summed up at the end of a chunk of rows.
 */

#include "counting.h"

#include <string.h>

#define ROWS_PER_KEY 8 /* at least, so that summing up the table does not matter */
#define MOST_JOINED 6

DISPATCHED static void
extend_keys(const uint32_t *restrict code, uint16_t width, size_t count, uint16_t *restrict key)
{
    for (size_t i = 0; i < count; i++) {
        key[i] = (uint16_t)(key[i] * width + code[i]);
    }
}

/* The same from bytes, of one column or of two at a time; the largest ones that were found. Each byte is read once, so
 * that what is checked is what was used. */
typedef struct {
    uint16_t one;
    uint16_t two;
} Largest;

#define EXTENDERS(BY_BYTES, BY_TWO, PARAMETERS, BASE)                                                                 \
    DISPATCHED static Largest BY_BYTES(PARAMETERS const uint8_t *restrict code, uint16_t width, size_t count,         \
                                       uint16_t *restrict key)                                                        \
    {                                                                                                                 \
        uint16_t largest = 0;                                                                                         \
        for (size_t i = 0; i < count; i++) {                                                                          \
            const uint16_t byte = code[i];                                                                            \
            largest = byte > largest ? byte : largest;                                                                \
            key[i] = (uint16_t)(BASE[i] * width + byte);                                                              \
        }                                                                                                             \
        return (Largest){largest, 0};                                                                                 \
    }                                                                                                                 \
    DISPATCHED static Largest BY_TWO(PARAMETERS const uint8_t *restrict code, const uint8_t *restrict other,          \
                                     uint16_t width, uint16_t other_width, size_t count, uint16_t *restrict key)      \
    {                                                                                                                 \
        uint16_t one = 0, two = 0;                                                                                    \
        for (size_t i = 0; i < count; i++) {                                                                          \
            const uint16_t byte = code[i], next = other[i];                                                           \
            one = byte > one ? byte : one;                                                                            \
            two = next > two ? next : two;                                                                            \
            key[i] = (uint16_t)((BASE[i] * width + byte) * other_width + next);                                       \
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

size_t
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

Fault
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
