/* Distances on their way to the candidates of a query: many are compared with the limit at a time. */

#include "neighbours.h"
#include "marks.h"

/* The place of the lowest bit that is set. */
static inline size_t
lowest_bit(uint64_t bits)
{
#if defined(__GNUC__)
    return (size_t)__builtin_ctzll(bits);
#else
    size_t place = 0;
    for (; !(bits & 1); bits >>= 1) {
        place++;
    }
    return place;
#endif
}

/* Add those of up to GROUP rows that are within the limit, where there is room for all. */
static void
append(Candidates *candidates, const double *restrict distance, size_t first, size_t count, size_t left_out)
{
    double *restrict near = candidates->near, limit = candidates->limit;
    size_t *restrict row = candidates->row, total = candidates->count;
    for (size_t r = 0; r < count; r++) {
        near[total] = distance[r];
        row[total] = first + r;
        total += distance[r] <= limit && first + r != left_out;
    }
    candidates->count = total;
}

/* The marks without rows behind the last one, and without the row that is left out. */
static inline uint64_t
marks_that_count(uint64_t found, size_t first, size_t count, size_t left_out)
{
    if (count < WORD_ROWS) {
        found &= (UINT64_C(1) << count) - 1;
    }
    if (left_out - first < WORD_ROWS) {
        found &= ~(UINT64_C(1) << (left_out - first));
    }
    return found;
}

int
add_distances(Selection *selection, size_t query, const double *near, size_t first, size_t count)
{
    Candidates *candidates = &selection->candidates[query];
    for (size_t start = 0; start < count; start += WORD_ROWS) {
        uint64_t found = (HAS_WIDE ? mark_distances_widely : mark_distances)(near + start, candidates->limit);
        found = marks_that_count(found, first + start, count - start, selection->left_out[query]);
        if (found != 0 && make_room(selection, candidates, WORD_ROWS) < 0) {
            return -1;
        }
        for (; found != 0; found &= found - 1) {
            size_t r = start + lowest_bit(found), place = candidates->count++;
            candidates->near[place] = near[r];
            candidates->row[place] = first + r;
        }
    }
    return 0;
}

/* Mark, one bit for each group, where a number of mismatches is within the limit. */
DISPATCHED static uint64_t
scan_counts(const uint16_t *restrict near, size_t groups, uint16_t limit)
{
    uint64_t found = 0;
    for (size_t g = 0; g < groups; g++) {
        uint16_t hits = 0;
        for (size_t r = 0; r < GROUP; r++) {
            hits |= (uint16_t)(near[g * GROUP + r] <= limit);
        }
        found |= (uint64_t)(hits != 0) << g;
    }
    return found;
}

int
add_counts(Selection *selection, size_t query, const uint16_t *near, size_t first, size_t count)
{
    Candidates *candidates = &selection->candidates[query];
    size_t groups = (count + GROUP - 1) / GROUP;
    uint16_t limit = candidates->limit < UINT16_MAX ? (uint16_t)candidates->limit : UINT16_MAX;
    uint64_t found = scan_counts(near, groups, limit);
    for (size_t g = 0; found >> g != 0 && g < groups; g++) {
        if (found >> g & 1) {
            if (make_room(selection, candidates, GROUP + 1) < 0) {
                return -1;
            }
            size_t start = g * GROUP, rows = count - start < GROUP ? count - start : GROUP;
            double wide[GROUP];
            for (size_t r = 0; r < rows; r++) {
                wide[r] = near[start + r];
            }
            append(candidates, wide, first + start, rows, selection->left_out[query]);
        }
    }
    return 0;
}

/* Add rows by their mismatches, each lowering the limit as far as k of them allow. */
int
add_bytes(Selection *selection, size_t query, const uint8_t *near, size_t first, size_t count)
{
    Candidates *candidates = &selection->candidates[query];
    uint8_t bound = candidates->limit < UINT8_MAX ? (uint8_t)candidates->limit : UINT8_MAX;
    for (size_t start = 0; start < count; start += WORD_ROWS) {
        uint64_t found = (HAS_WIDE ? mark_bytes_widely : mark_bytes)(near + start, bound);
        found = marks_that_count(found, first + start, count - start, selection->left_out[query]);
        if (found != 0 && make_room(selection, candidates, WORD_ROWS) < 0) {
            return -1;
        }
        for (; found != 0; found &= found - 1) {
            size_t r = start + lowest_bit(found), place = candidates->count++;
            candidates->near[place] = near[r];
            candidates->row[place] = first + r;
            candidates->tally[near[r]]++;
            candidates->within += near[r] <= bound;
            while (candidates->within - candidates->tally[bound] >= selection->k) {
                candidates->within -= candidates->tally[bound--];
            }
        }
        candidates->limit = bound;
    }
    return 0;
}
