/* The counts of a block of rows of one class.
 *
 * Where columns have few values, each value becomes a row of bits, and a count is the number of bits that two values
 * share. The last value of a column that is known everywhere needs no bits: its counts are the margin minus the others.
 * Where columns have many values, or weights are no small whole numbers, each row increments the cell of its two
 * values, in the order of the rows.
 */

#include "pairs.h"
#include "pairs_bits.h"

#define INCREMENT 3      /* the price of an increment, in words compared */
#define WIDE_INCREMENT 8 /* the same where the bits of many words are counted at once */

DISPATCHED static uint32_t
largest_of(const uint32_t *code, size_t count)
{
    uint32_t largest = 0;
    for (size_t i = 0; i < count; i++) {
        largest = code[i] > largest ? code[i] : largest;
    }
    return largest;
}

/* Load the codes of the rows taken, count single values, and lay out the bits. */
static Fault
load_column(const Table *table, size_t j, const size_t *taken, size_t count, double unit, const double *weight,
            double *cells, Column *column)
{
    size_t values = column->values = width_of(table, j), words = (count + WORD - 1) / WORD;
    size_t good = gather_codes(&table->columns[j], taken, count, (uint32_t)1 << 31, column->code);
    if (good < count) {
        return (Fault){BAD_CODE, j, taken[good]};
    }
    double *diagonal = cells + table->offset[j] * (table->width + 1);
    column->explicit = 0;
    if (weight != NULL || values > MOST_VALUES) {
        for (size_t i = 0; i < count; i++) {
            if (column->code[i] < values) {
                diagonal[column->code[i] * (table->width + 1)] += weight != NULL ? weight[i] : unit;
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
        diagonal[v * (table->width + 1)] += unit * column->margin[v];
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

Fault
count_block(const Table *table, size_t c, size_t start, const uint32_t *order, size_t count, double unit, int weighted,
            Buffers *buffers)
{
    double *cells = table->cells + c * table->width * table->width, *weight = weighted ? buffers->weight : NULL;
    size_t words = (count + WORD - 1) / WORD, increment = HAS_WIDE_BITS ? WIDE_INCREMENT : INCREMENT;
    for (size_t i = 0; i < count; i++) {
        buffers->taken[i] = table->rows != NULL ? buffers->row[order[i]] : start + order[i];
        if (weighted) {
            weight[i] = table->weights[start + order[i]];
        }
    }
    for (size_t j = 0; j < table->column_count; j++) {
        Fault fault = load_column(table, j, buffers->taken, count, unit, weight, cells, &buffers->column[j]);
        if (fault.kind != FINE) {
            return fault;
        }
    }
    for (size_t i = 0; i < table->column_count; i++) {
        const Column *one = &buffers->column[i];
        for (size_t j = i + 1; j < table->column_count; j++) {
            const Column *other = &buffers->column[j];
            double *corner = cells + table->offset[i] * table->width + table->offset[j];
            size_t compared = one->explicit * other->explicit;
            if (compared > 0 && compared * words <= increment * count && compared <= MOST_VALUES) {
                add_by_bits(one, other, words, unit, table->width, corner, buffers->pair);
            } else {
                add_by_increments(one, other, count, unit, weight, table->width, corner);
            }
        }
    }
    return (Fault){FINE, 0, 0};
}
