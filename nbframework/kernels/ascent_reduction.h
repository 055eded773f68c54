/* Making a group of the ascent small.
 *
 * Rows that say nothing are left out, classes without rows that look alike in all of them are merged, factors that tell
 * no classes apart are fixed, and factors that are the same in all of them have one weight, because the pull towards 1
 * leaves them no other.
 */
#ifndef NBFRAMEWORK_ASCENT_REDUCTION_H
#define NBFRAMEWORK_ASCENT_REDUCTION_H

#include "ascent_group.h"
#include "fused.h"

#include <math.h>
#include <string.h>

#define MOST_COMPARED 256 /* factors with which another one is compared */

INLINE int
holds_zero(const double *log, size_t count)
{
    uint64_t zero = 0;
    for (size_t i = 0; i < count; i++) {
        zero |= log[i] == -INFINITY ? 1 : 0;
    }
    return zero != 0;
}

INLINE int
are_equal(const double *one, const double *other, size_t count)
{
    int equal = 1;
    if (memcmp(one, other, count * sizeof *one) != 0) {
        for (size_t i = 0; i < count; i++) {
            equal &= one[i] == other[i];
        }
    }
    return equal;
}

/* Mark the classes without rows to which all rows give the same prior and factors as to the first such class, which is
 * returned; SIZE_MAX where there is none. */
INLINE size_t
find_alike(const Task *task, size_t g, Group *group)
{
    size_t pattern = 0, count = task->class_count;
    while (pattern < count && group->multiplicity[pattern] > 0.0) {
        pattern++;
    }
    for (size_t c = 0; c < count; c++) {
        group->alike[c] = c > pattern && group->multiplicity[c] == 0.0;
    }
    for (size_t row = task->start[g]; pattern < count && row < task->start[g + 1]; row++) {
        const double *prior = task->log_prior + row * count, *factors = factors_of(task, row, pattern);
        for (size_t c = pattern + 1; c < count; c++) {
            group->alike[c] = group->alike[c] && prior[c] == prior[pattern] &&
                              are_equal(factors_of(task, row, c), factors, task->factors);
        }
    }
    return pattern < count ? pattern : SIZE_MAX;
}

/* Choose the classes to keep; returns how many of them have rows. */
INLINE size_t
choose_classes(const Task *task, size_t g, Group *group)
{
    size_t present = 0, place = 0;
    memset(group->multiplicity, 0, task->class_count * sizeof *group->multiplicity);
    for (size_t row = task->start[g]; row < task->start[g + 1]; row++) {
        double *has_rows = &group->multiplicity[task->classes[row]];
        present += task->row_weights[row] > 0.0 && *has_rows == 0.0;
        *has_rows = task->row_weights[row] > 0.0 ? 1.0 : *has_rows;
    }
    group->slots = 0;
    if (present < 2) {
        return present;
    }
    size_t pattern = find_alike(task, g, group);
    for (size_t c = 0; c < task->class_count; c++) {
        if (group->alike[c]) {
            group->multiplicity[place]++;
            continue;
        }
        place = c == pattern ? group->slots : place;
        group->slot[group->slots] = (uint32_t)c;
        group->multiplicity[group->slots++] = 1.0; /* never beyond c */
    }
    for (size_t s = 0; s < group->slots; s++) {
        group->log_multiplicity[s] = log(group->multiplicity[s]);
    }
    return present;
}

/* Write a rival's factors relative to those of the row's own class; returns whether none of them is zero. */
INLINE int
relate(const double *restrict factors, const double *restrict own, size_t count, size_t stride, double *restrict to)
{
    uint64_t zero = 0;
    for (size_t i = 0; i < count; i++) {
        zero |= factors[i] == -INFINITY ? 1 : 0;
        to[i] = factors[i] - own[i];
    }
    for (size_t i = count; i < stride; i++) {
        to[i] = 0.0;
    }
    return zero == 0;
}

/* Mark the factors that differ, and add the relative ones to their checksums: sums of all relative values of a factor,
 * each with a coefficient of its own. */
INLINE void
note_differences(const double *restrict relative, double coefficient, size_t count, uint64_t *restrict differs,
                 double *restrict checksum)
{
    for (size_t i = 0; i < count; i++) {
        differs[i] |= relative[i] != 0.0 ? 1 : 0;
        checksum[i] += relative[i] * coefficient;
    }
}

/* List a row and its rivals, with all their relative factors; returns where the next rival goes. */
INLINE size_t
list_row(const Task *task, size_t row, size_t stride, double *coefficient, Group *group)
{
    size_t own = task->classes[row], rivals = group->row_count > 0 ? group->row[group->row_count - 1].end : 0;
    const double *prior = task->log_prior + row * task->class_count, *own_factors = factors_of(task, row, own);
    if (!(task->row_weights[row] > 0.0) || prior[own] == -INFINITY || holds_zero(own_factors, task->factors)) {
        return rivals;
    }
    Row *to = &group->row[group->row_count++];
    *to = (Row){rivals, rivals, own_factors, task->row_weights[row]};
    for (size_t s = 0; s < group->slots; s++) {
        size_t c = group->slot[s];
        double *relative = group->all + (group->stored ? to->end * stride : 0);
        const double *factors = factors_of(task, row, c);
        if (c != own && prior[c] > -INFINITY && relate(factors, own_factors, task->factors, stride, relative)) {
            *coefficient *= *coefficient < 2.0 ? 1.37 : 0.53;
            note_differences(relative, *coefficient, task->factors, group->differs, group->checksum);
            group->base[to->end] = prior[c] - prior[own] + group->log_multiplicity[s];
            group->rival[to->end++] = factors;
        }
    }
    return to->end;
}

/* Whether two factors have the same relative values in all rows. */
INLINE int
are_copies(const Group *group, size_t one, size_t other)
{
    for (size_t l = 0; l < group->row_count; l++) {
        const Row *row = &group->row[l];
        for (size_t e = row->rivals; e < row->end; e++) {
            const double *factors = group->rival[e];
            if (factors[one] - row->own[one] != factors[other] - row->own[other]) {
                return 0;
            }
        }
    }
    return 1;
}

/* The place of the factor that stands for factor f, which is listed where there is none yet. */
INLINE uint32_t
standing_for(Group *group, size_t f)
{
    size_t known = group->count < MOST_COMPARED ? group->count : MOST_COMPARED;
    for (size_t i = 0; i < known; i++) {
        size_t other = group->factor[i];
        if (group->checksum[other] == group->checksum[f] && are_copies(group, f, other)) {
            group->copies[i] += 1.0;
            return (uint32_t)i;
        }
    }
    group->factor[group->count] = (uint32_t)f;
    group->copies[group->count] = 1.0;
    return (uint32_t)group->count++;
}

/* List the factors that differ between classes in some row, one for all that are the same. */
INLINE void
list_factors(const Task *task, Span span, Group *group)
{
    group->count = 0;
    memset(group->kept, 0, padded(task->factors, IN_WIDE_LANES) / PADDING);
    for (size_t f = 0; f < task->factors; f++) {
        size_t before = group->count;
        group->stands[f] = group->differs[f] ? standing_for(group, f) : UINT32_MAX;
        group->kept[f / PADDING] |= (uint8_t)((group->count - before) << f % PADDING);
    }
    group->stride = padded(group->count, span);
}

/* List the rows that say something, their rivals, and the factors at work. */
INLINE void
list_rows(const Task *task, Span span, size_t g, Group *group)
{
    const size_t all_factors = padded(task->factors, span);
    size_t rivals = 0;
    double coefficient = 1.0;
    memset(group->differs, 0, task->factors * sizeof *group->differs);
    memset(group->checksum, 0, task->factors * sizeof *group->checksum);
    group->row_count = 0;
    group->stored = (task->start[g + 1] - task->start[g]) * group->slots * all_factors <= MOST_STORED;
    for (size_t row = task->start[g]; row < task->start[g + 1]; row++) {
        rivals = list_row(task, row, all_factors, &coefficient, group);
    }
    list_factors(task, span, group);
    int all_differ = group->count == task->factors; /* then none is left out and none is a copy */
    group->relative = group->stored && all_differ ? group->all : group->room;
    for (size_t e = 0; group->stored && !all_differ && e < rivals; e++) {
        keep_factors(group, span, all_factors, group->all + e * all_factors, group->relative + e * group->stride);
    }
}

#endif
