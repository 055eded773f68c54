/* count_slice: mismatches of codes, whose bytes are compared. */

#include "distances.h"

#include <string.h>

/* Add a run of columns of one byte, at most 255. */
DISPATCHED static void
count_bytes(const uint8_t *restrict column, size_t columns, const double *restrict value, uint8_t *restrict counts)
{
    uint8_t count[SLICE_ROWS];
    memcpy(count, counts, SLICE_ROWS);
    for (size_t j = 0; j < columns; j++, column += SLICE_ROWS) {
        const uint8_t v = (uint8_t)value[j];
        for (size_t r = 0; r < SLICE_ROWS; r++) {
            count[r] += column[r] != v;
        }
    }
    memcpy(counts, count, SLICE_ROWS);
}

/* Add a column of several bytes. */
DISPATCHED static void
count_words(const uint8_t *restrict column, size_t width, uint32_t value, uint8_t *restrict counts)
{
    uint8_t differs[SLICE_ROWS] = {0};
    for (size_t b = 0; b < width; b++, column += SLICE_ROWS) {
        const uint8_t v = (uint8_t)(value >> 8 * b);
        for (size_t r = 0; r < SLICE_ROWS; r++) {
            differs[r] |= column[r] != v;
        }
    }
    for (size_t r = 0; r < SLICE_ROWS; r++) {
        counts[r] += differs[r];
    }
}

DISPATCHED static void
add_counts(const uint8_t *restrict counts, uint16_t *restrict out)
{
    for (size_t r = 0; r < SLICE_ROWS; r++) {
        out[r] += counts[r];
    }
}

/* Whether a value has a place in a column of so many bytes. */
static int
fits(double value, size_t width)
{
    return width >= 4 || value < (double)((uint32_t)1 << 8 * width);
}

/* Add the mismatches of the columns from `first` to `end`, at most 255, whose bytes start at `column`; returns where
 * they end. */
static const uint8_t *
count_columns(const Search *search, const double *value, const uint8_t *column, size_t first, size_t end,
              uint8_t *counts)
{
    const uint8_t *width = search->width;
    for (size_t j = first, next; j < end; column += (next - j) * width[j] * SLICE_ROWS, j = next) {
        next = j + 1;
        if (!fits(value[j], width[j])) {
            for (size_t r = 0; r < SLICE_ROWS; r++) {
                counts[r]++;
            }
        } else if (width[j] > 1) {
            count_words(column, width[j], (uint32_t)value[j], counts);
        } else {
            while (next < end && width[next] == 1 && fits(value[next], 1)) {
                next++;
            }
            count_bytes(column, next - j, value + j, counts);
        }
    }
    return column;
}

void
count_slice(const Search *search, size_t query, size_t offset, uint16_t *out)
{
    const double *value = search->value + query * search->columns;
    const uint8_t *column = search->bytes + offset * search->planes;
    memset(out, 0, SLICE_ROWS * sizeof *out);
    for (size_t j = 0, end; j < search->columns; j = end) {
        uint8_t counts[SLICE_ROWS] = {0};
        end = search->columns - j < UINT8_MAX ? search->columns : j + UINT8_MAX;
        column = count_columns(search, value, column, j, end, counts);
        add_counts(counts, out);
    }
}

void
count_slice_bytes(const Search *search, size_t query, size_t offset, uint8_t *out)
{
    memset(out, 0, SLICE_ROWS);
    count_columns(search, search->value + query * search->columns, search->bytes + offset * search->planes, 0,
                  search->columns, out);
}
