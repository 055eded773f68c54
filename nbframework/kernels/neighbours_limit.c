/* The limit of the candidates of a query, their memory, and their order at the end. */

#include "neighbours.h"

#include <stdlib.h>
#include <string.h>

#define SAMPLE 24 /* candidates of which one may become the limit */
#define FEW 24    /* candidates that are sorted by insertion */

static double
median_of_three(double a, double b, double c)
{
    if (a > b) {
        double swap = a;
        a = b;
        b = swap;
    }
    return c < a ? a : c > b ? b : c;
}

/* The k-th smallest number, k at least 1; reorders them. */
static double
kth_smallest(double *numbers, size_t count, size_t k)
{
    size_t low = 0, high = count - 1, place = k - 1;
    while (low < high) {
        double pivot = median_of_three(numbers[low], numbers[low + (high - low) / 2], numbers[high]);
        size_t i = low, j = high;
        for (;;) {
            while (numbers[i] < pivot) {
                i++;
            }
            while (numbers[j] > pivot) {
                j--;
            }
            if (i >= j) {
                break;
            }
            double swap = numbers[i];
            numbers[i++] = numbers[j];
            numbers[j--] = swap;
        }
        if (place <= j) {
            high = j;
        } else {
            low = j + 1;
        }
    }
    return numbers[place];
}

static int
reserve_scratch(Selection *selection, size_t count)
{
    if (selection->scratch_size < count) {
        free(selection->scratch);
        free(selection->row_scratch);
        selection->scratch = malloc(count * sizeof *selection->scratch);
        selection->row_scratch = malloc(count * sizeof *selection->row_scratch);
        selection->scratch_size = selection->scratch != NULL && selection->row_scratch != NULL ? count : 0;
    }
    return selection->scratch_size >= count ? 0 : -1;
}

void
drop_beyond_limit(Candidates *candidates)
{
    size_t kept = 0;
    for (size_t i = 0; i < candidates->count; i++) {
        double near = candidates->near[i];
        candidates->near[kept] = near;
        candidates->row[kept] = candidates->row[i];
        kept += near <= candidates->limit;
    }
    candidates->count = kept;
}

/* Lower the limit to what equals a distance that at least k do not exceed, and drop the candidates beyond it. */
static void
lower_limit(const Selection *selection, Candidates *candidates, double distance)
{
    candidates->limit = distance * (1.0 + selection->tolerance);
    drop_beyond_limit(candidates);
}

int
compact(Selection *selection, Candidates *candidates)
{
    if (candidates->count <= selection->k) {
        return 0;
    }
    if (reserve_scratch(selection, candidates->count) < 0) {
        return -1;
    }
    memcpy(selection->scratch, candidates->near, candidates->count * sizeof *candidates->near);
    lower_limit(selection, candidates, kth_smallest(selection->scratch, candidates->count, selection->k));
    return 0;
}

DISPATCHED static size_t
count_within(const double *near, size_t count, double limit)
{
    uint64_t within = 0;
    for (size_t i = 0; i < count; i++) {
        within += near[i] <= limit ? 1 : 0;
    }
    return (size_t)within;
}

/* Lower the limit to one of a few candidates that at least k do not exceed: cheaper than the k-th. */
static void
compact_roughly(const Selection *selection, Candidates *candidates)
{
    double sample[SAMPLE];
    size_t step = candidates->count / SAMPLE, place = selection->k / (step > 0 ? step : 1) + 1;
    for (size_t i = 0; i < SAMPLE && step > 0; i++) {
        double one = candidates->near[i * step];
        size_t j = i;
        for (; j > 0 && sample[j - 1] > one; j--) {
            sample[j] = sample[j - 1];
        }
        sample[j] = one;
    }
    for (; place < SAMPLE && step > 0; place++) {
        if (count_within(candidates->near, candidates->count, sample[place]) >= selection->k) {
            lower_limit(selection, candidates, sample[place]);
            return;
        }
    }
}

int
grow(Selection *selection, Candidates *candidates, size_t more)
{
    if (selection->tallies) {
        drop_beyond_limit(candidates);
    } else {
        compact_roughly(selection, candidates);
        if (candidates->count > candidates->capacity / 2 && compact(selection, candidates) < 0) {
            return -1;
        }
    }
    if (candidates->count + more <= candidates->capacity / 4 * 3) {
        return 0;
    }
    size_t capacity = 2 * candidates->capacity + more;
    double *near = realloc(candidates->near, capacity * sizeof *near);
    candidates->near = near != NULL ? near : candidates->near;
    size_t *row = realloc(candidates->row, capacity * sizeof *row);
    candidates->row = row != NULL ? row : candidates->row;
    if (near == NULL || row == NULL) {
        return -1;
    }
    candidates->capacity = capacity;
    return 0;
}

/* An insertion sort of a few at a time, and merges of what is sorted. */
int
sort_candidates(Selection *selection, Candidates *candidates)
{
    size_t count = candidates->count;
    double *near = candidates->near;
    size_t *row = candidates->row;
    if (reserve_scratch(selection, count) < 0) {
        return -1;
    }
    for (size_t start = 0; start < count; start += FEW) {
        size_t end = count - start < FEW ? count : start + FEW;
        for (size_t i = start + 1; i < end; i++) {
            double one = near[i];
            size_t its_row = row[i], j = i;
            for (; j > start && near[j - 1] > one; j--) {
                near[j] = near[j - 1];
                row[j] = row[j - 1];
            }
            near[j] = one;
            row[j] = its_row;
        }
    }
    for (size_t width = FEW; width < count; width *= 2) {
        for (size_t start = 0; start < count && count - start > width; start += 2 * width) {
            size_t end = count - start < 2 * width ? count : start + 2 * width, left = width, i = 0, j = start + width;
            memcpy(selection->scratch, near + start, left * sizeof *near);
            memcpy(selection->row_scratch, row + start, left * sizeof *row);
            for (size_t to = start; i < left; to++) {
                if (j < end && near[j] < selection->scratch[i]) {
                    near[to] = near[j];
                    row[to] = row[j++];
                } else {
                    near[to] = selection->scratch[i];
                    row[to] = selection->row_scratch[i++];
                }
            }
        }
    }
    return 0;
}
