/* measure_slice: sums of squares, and of mismatches as numbers, column by column.
 *
 * What a column adds depends on what is known of it, in the query and in the block; runs of columns that add the same
 * are added together.
 */

#include "distances.h"

#include <string.h>

#define RUN_COLUMNS 255

static inline double
larger(double one, double other)
{
    return one > other ? one : other;
}

/* The terms: of a training value and two numbers that depend on the query. */

static inline double
mismatch(double x, double value, double Py_UNUSED(other))
{
    return x != value ? 1.0 : 0.0;
}

static inline double
square(double x, double value, double Py_UNUSED(other))
{
    double difference = value - x;
    return difference * difference;
}

static inline double
square_or_farthest(double x, double value, double farthest)
{
    /* a comparison with 0 rather than of x with itself, because it is vectorized */
    double term = square(x, value, 0.0);
    return term >= 0.0 ? term : farthest;
}

/* The same of a value between the bounds: then no term is larger, and one that is no number is not smaller. */
static inline double
square_up_to_farthest(double x, double value, double farthest)
{
    double term = square(x, value, 0.0);
    return term < farthest ? term : farthest;
}

static inline double
farthest_square(double x, double low, double high)
{
    double far = larger(x - low, high - x), term = far * far;
    return term >= 0.0 ? term : (high - low) * (high - low);
}

/* Add the terms of a run of columns of one kind to the sums of a slice; a constant number of them at a time. */
#define ADD_COLUMNS(TOGETHER, TERM)                                                                                   \
    for (; j + TOGETHER <= columns; j += TOGETHER, column += TOGETHER * SLICE_ROWS) {                                 \
        const double *restrict a = one + j, *restrict b = other + j;                                                  \
        for (size_t r = 0; r < SLICE_ROWS; r++) {                                                                     \
            double sum = sums[r];                                                                                     \
            for (size_t k = 0; k < TOGETHER; k++) {                                                                   \
                sum += TERM(column[k * SLICE_ROWS + r], a[k], b[k]);                                                  \
            }                                                                                                         \
            sums[r] = sum;                                                                                            \
        }                                                                                                             \
    }

#define RUN(NAME, TERM)                                                                                               \
    DISPATCHED static void NAME(const double *restrict column, size_t columns, const double *restrict one,            \
                                const double *restrict other, double *restrict sums)                                  \
    {                                                                                                                 \
        size_t j = 0;                                                                                                 \
        ADD_COLUMNS(8, TERM)                                                                                          \
        ADD_COLUMNS(4, TERM)                                                                                          \
        ADD_COLUMNS(1, TERM)                                                                                          \
    }

RUN(add_mismatches, mismatch)
RUN(add_squares, square)
RUN(add_squares_or_farthest, square_or_farthest)
RUN(add_squares_up_to_farthest, square_up_to_farthest)
RUN(add_farthest, farthest_square)

static inline double
known_square(double x, double value)
{
    double term = square(x, value, 0.0);
    return term >= 0.0 ? term : 0.0;
}

static inline double
is_unknown(double x, double value)
{
    return square(x, value, 0.0) >= 0.0 ? 0.0 : 1.0;
}

/* Add what is known of a run of columns and count down what is not. */
DISPATCHED static void
add_known_squares(const double *restrict column, size_t columns, const double *restrict value, double *restrict sums,
                  double *restrict known)
{
    size_t j = 0;
    for (; j + 4 <= columns; j += 4, column += 4 * SLICE_ROWS) {
        const double a0 = value[j], a1 = value[j + 1], a2 = value[j + 2], a3 = value[j + 3];
        const double *one = column + SLICE_ROWS, *two = one + SLICE_ROWS, *three = two + SLICE_ROWS;
        for (size_t r = 0; r < SLICE_ROWS; r++) {
            double sum = sums[r] + known_square(column[r], a0);
            sum += known_square(one[r], a1);
            sum += known_square(two[r], a2);
            sums[r] = sum + known_square(three[r], a3);
            known[r] -= (is_unknown(column[r], a0) + is_unknown(one[r], a1)) +
                        (is_unknown(two[r], a2) + is_unknown(three[r], a3));
        }
    }
    for (; j < columns; j++, column += SLICE_ROWS) {
        const double a = value[j];
        for (size_t r = 0; r < SLICE_ROWS; r++) {
            sums[r] += known_square(column[r], a);
        }
        for (size_t r = 0; r < SLICE_ROWS; r++) {
            known[r] -= is_unknown(column[r], a);
        }
    }
}

DISPATCHED static void
rescale_slice(double columns, double farthest, const double *restrict known, double *restrict out)
{
    /* two loops, because one would not be vectorized */
    for (size_t r = 0; r < SLICE_ROWS; r++) {
        out[r] *= columns / known[r];
    }
    for (size_t r = 0; r < SLICE_ROWS; r++) {
        out[r] = known[r] > 0.0 ? out[r] : farthest;
    }
}

typedef enum { MISMATCHES, SQUARES, OR_FARTHEST, UP_TO_FARTHEST, FARTHEST, KNOWN, NOTHING } Kind;

/* The kind of a column for a query's value. */
static Kind
kind_of(const Search *search, size_t j, double value)
{
    if (search->row[j].is_code) {
        return MISMATCHES;
    }
    if (value != value) {
        return search->rescale ? NOTHING : FARTHEST;
    }
    if (!(search->gaps[j] & HAS_UNKNOWN)) {
        return SQUARES;
    }
    return search->rescale ? KNOWN : search->gaps[j] & HAS_OUTSIDE ? OR_FARTHEST : UP_TO_FARTHEST;
}

void
plan_query(Search *search, size_t query)
{
    size_t place = query * search->columns;
    const double *value = search->value + place, *bounds = search->bounds.data;
    uint8_t *kind = search->plan.kind + place, *run = search->plan.run + place, unknown = 0, plain = 1;
    double known = (double)search->columns;
    for (size_t j = search->columns; j-- > 0;) {
        double low = bounds[2 * j], high = bounds[2 * j + 1], far = larger(value[j] - low, high - value[j]);
        kind[j] = (uint8_t)kind_of(search, j, value[j]);
        int longer = j + 1 < search->columns && kind[j + 1] == kind[j] && run[j + 1] < RUN_COLUMNS;
        run[j] = (uint8_t)(longer ? run[j + 1] + 1 : 1);
        search->plan.one[place + j] = kind[j] == FARTHEST ? low : value[j];
        search->plan.other[place + j] = kind[j] == FARTHEST ? high : far * far;
        known -= kind[j] == NOTHING ? 1.0 : 0.0;
        unknown |= kind[j] == NOTHING || kind[j] == KNOWN;
        plain &= kind[j] == SQUARES;
    }
    search->plan.unknown[query] = unknown;
    search->plan.known[query] = known;
    search->plan.plain[query] = plain;
}

void
measure_slice(const Search *search, size_t query, size_t offset, double *out)
{
    const Plan *plan = &search->plan;
    const double *column = search->numbers + offset * search->columns;
    double known[SLICE_ROWS];
    memset(out, 0, SLICE_ROWS * sizeof *out);
    for (size_t r = 0; plan->unknown[query] && r < SLICE_ROWS; r++) {
        known[r] = plan->known[query];
    }
    for (size_t j = query * search->columns, end = j + search->columns, run; j < end; j += run) {
        const double *one = plan->one + j, *other = plan->other + j;
        run = plan->run[j];
        switch (plan->kind[j]) {
        case MISMATCHES:
            add_mismatches(column, run, one, other, out);
            break;
        case SQUARES:
            add_squares(column, run, one, other, out);
            break;
        case OR_FARTHEST:
            add_squares_or_farthest(column, run, one, other, out);
            break;
        case UP_TO_FARTHEST:
            add_squares_up_to_farthest(column, run, one, other, out);
            break;
        case FARTHEST:
            add_farthest(column, run, one, other, out);
            break;
        case KNOWN:
            add_known_squares(column, run, one, out, known);
            break;
        default:
            break;
        }
        column += run * SLICE_ROWS;
    }
    if (plan->unknown[query]) {
        rescale_slice((double)search->columns, search->farthest, known, out);
    }
}

int
is_plain(const Search *search, size_t query)
{
    return search->plan.plain[query];
}
