/* Squared distances for kappa_sums, with products and sums fused where the processor can. */

#include "fused.h"
#include "kappa.h"

#include <string.h>

/* Squares of the differences of eight columns, added to what is there or not. */
INLINE void
add_eight(const double *restrict column, const double *restrict value, int added, double *restrict out)
{
    const double v0 = value[0], v1 = value[1], v2 = value[2], v3 = value[3];
    const double v4 = value[4], v5 = value[5], v6 = value[6], v7 = value[7];
    for (size_t r = 0; r < SLICE_ROWS; r++) {
        double d0 = column[r] - v0, d1 = column[SLICE_ROWS + r] - v1;
        double d2 = column[2 * SLICE_ROWS + r] - v2, d3 = column[3 * SLICE_ROWS + r] - v3;
        double d4 = column[4 * SLICE_ROWS + r] - v4, d5 = column[5 * SLICE_ROWS + r] - v5;
        double d6 = column[6 * SLICE_ROWS + r] - v6, d7 = column[7 * SLICE_ROWS + r] - v7;
        double before = added ? out[r] : 0.0;
        out[r] = before + d0 * d0 + d1 * d1 + d2 * d2 + d3 * d3 + d4 * d4 + d5 * d5 + d6 * d6 + d7 * d7;
    }
}

/* The sums of squares of a slice where nothing is unknown. */
INLINE void
add_squares(const double *restrict column, size_t columns, const double *restrict value, double *restrict out)
{
    size_t j = 0;
    if (columns >= 8) {
        add_eight(column, value, 0, out);
        j = 8;
    } else {
        memset(out, 0, SLICE_ROWS * sizeof *out);
    }
    for (; j + 8 <= columns; j += 8) {
        add_eight(column + j * SLICE_ROWS, value + j, 1, out);
    }
    for (; j < columns; j++) {
        for (size_t r = 0; r < SLICE_ROWS; r++) {
            double difference = column[j * SLICE_ROWS + r] - value[j];
            out[r] += difference * difference;
        }
    }
}

FUSED static void
add_squares_fused(const double *column, size_t columns, const double *value, double *out)
{
    add_squares(column, columns, value, out);
}

void
square_slice(const Search *search, size_t query, size_t offset, double *to)
{
    _Alignas(LINE) uint16_t count[SLICE_ROWS];
    if (search->all_codes) {
        count_slice(search, query, offset, count);
        for (size_t r = 0; r < SLICE_ROWS; r++) {
            to[r] = count[r];
        }
    } else if (FUSES && is_plain(search, query)) {
        add_squares_fused(search->numbers + offset * search->columns, search->columns,
                          search->value + query * search->columns, to);
    } else {
        measure_slice(search, query, offset, to);
    }
}
