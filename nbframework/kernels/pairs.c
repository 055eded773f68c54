/* pair_counts: how often each value of each column occurs together with each value of each column, class by class.
 *
 * The rows of a class are taken in blocks. Small whole weights are counted bit by bit: the rows whose weight has bit p
 * count 2^p.
 */

#include "pairs.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK_ROWS ((size_t)1 << 16)
#define BUFFER_BYTES ((size_t)2 << 20)
#define MOST_PLANES 4
#define TILE 32 /* cells on a side of a square that is mirrored at a time */

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
count_plane(const Table *table, size_t start, size_t count, unsigned mask, double unit, int weighted, Buffers *buffers)
{
    sort_by_class(buffers, count, table->class_count, mask);
    for (size_t c = 0; c < table->class_count; c++) {
        for (size_t first = buffers->border[c]; first < buffers->border[c + 1]; first += buffers->most) {
            size_t left = buffers->border[c + 1] - first, rows = left < buffers->most ? left : buffers->most;
            Fault fault = count_block(table, c, start, buffers->order + first, rows, unit, weighted, buffers);
            if (fault.kind != FINE) {
                return fault;
            }
        }
    }
    return (Fault){FINE, 0, 0};
}

static Fault
count_chunk(const Table *table, size_t start, size_t count, Buffers *buffers)
{
    size_t good = load_codes(&table->classes, start, count, limit_of(table->class_count), buffers->group);
    if (good < count) {
        return (Fault){BAD_CLASS, 0, start + good};
    }
    if (table->rows != NULL) {
        good = load_rows(table->rows, start, count, table->length, buffers->row);
        if (good < count) {
            return (Fault){BAD_ROW, 0, start + good};
        }
    }
    size_t top = find_planes(table->weights != NULL ? table->weights + start : NULL, count, buffers->plane);
    if (top == MOST_PLANES) {
        memset(buffers->plane, 1, count);
        return count_plane(table, start, count, 1, 1.0, 1, buffers);
    }
    for (size_t p = 0; p <= top; p++) {
        Fault fault = count_plane(table, start, count, 1u << p, (double)(1u << p), 0, buffers);
        if (fault.kind != FINE) {
            return fault;
        }
    }
    return (Fault){FINE, 0, 0};
}

/* Copy what was counted above the diagonal to the cells below it. */
static void
mirror(double *cells, size_t width)
{
    for (size_t top = 0; top < width; top += TILE) {
        for (size_t left = top; left < width; left += TILE) {
            for (size_t u = top; u < top + TILE && u < width; u++) {
                for (size_t v = left > u ? left : u + 1; v < left + TILE && v < width; v++) {
                    cells[v * width + u] = cells[u * width + v];
                }
            }
        }
    }
}

/* How many rows a block may have, so that codes and bits stay within the buffer. */
static size_t
block_rows(const Table *table, size_t packed)
{
    size_t rows = MOST_ROWS;
    while (rows > WORD && rows * table->column_count * sizeof(uint32_t) + rows / 8 * packed > BUFFER_BYTES) {
        rows /= 2;
    }
    return rows;
}

/* Give each column its place in the buffers. */
static void
lay_out(const Table *table, Buffers *buffers)
{
    uint64_t *bits = buffers->bits;
    uint32_t *margin = buffers->margin;
    for (size_t j = 0; j < table->column_count; j++) {
        size_t values = width_of(table, j), packed = values <= MOST_VALUES ? values : 0;
        buffers->column[j].code = buffers->code + j * buffers->most;
        buffers->column[j].bits = bits;
        buffers->column[j].margin = margin;
        bits += packed * (buffers->most / WORD);
        margin += packed;
    }
}

static Fault
count_all(const Table *table)
{
    size_t total = table->classes.length, chunk = total < CHUNK_ROWS ? total : CHUNK_ROWS, packed = 0;
    Fault fault = {NO_MEMORY, 0, 0};
    for (size_t j = 0; j < table->column_count; j++) {
        size_t values = width_of(table, j);
        packed += values <= MOST_VALUES ? values : 0;
    }
    Buffers *buffers = calloc(1, sizeof *buffers);
    if (buffers == NULL) {
        return fault;
    }
    buffers->most = block_rows(table, packed);
    buffers->group = malloc((chunk + 1) * sizeof *buffers->group);
    buffers->row = malloc(((table->rows != NULL ? chunk : 0) + 1) * sizeof *buffers->row);
    buffers->plane = malloc(chunk + 1);
    buffers->order = malloc((chunk + 1) * sizeof *buffers->order);
    buffers->border = malloc((table->class_count + 2) * sizeof *buffers->border);
    buffers->column = malloc((table->column_count + 1) * sizeof *buffers->column);
    buffers->code = malloc((table->column_count * buffers->most + 1) * sizeof *buffers->code);
    buffers->bits = malloc((packed * (buffers->most / WORD) + 1) * sizeof *buffers->bits);
    buffers->margin = malloc((packed + 1) * sizeof *buffers->margin);
    if (buffers->group != NULL && buffers->row != NULL && buffers->plane != NULL && buffers->order != NULL &&
        buffers->border != NULL && buffers->column != NULL && buffers->code != NULL && buffers->bits != NULL &&
        buffers->margin != NULL) {
        lay_out(table, buffers);
        fault = (Fault){FINE, 0, 0};
        for (size_t start = 0; fault.kind == FINE && start < total; start += chunk) {
            fault = count_chunk(table, start, total - start < chunk ? total - start : chunk, buffers);
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
    for (size_t c = 0; fault.kind == FINE && c < table->class_count; c++) {
        mirror(table->cells + c * table->width * table->width, table->width);
    }
    return fault;
}

/* pair_counts(columns, first, classes, weights or None, rows or None, table): adds to a table of zeros. */
PyObject *
kernel_pair_counts(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    return count_into_table(arguments, "O!OOOOO:pair_counts", "table", 3, count_all);
}
