/* Making a group of the ascent small.
 *
 * Rows that say nothing are left out, classes without rows that look alike in all of them are merged, factors that tell
 * no classes apart are fixed, and factors that are the same in all of them have one weight, because the pull towards 1
 * leaves them no other.
 */
#ifndef NBFRAMEWORK_ASCENT_GROUP_H
#define NBFRAMEWORK_ASCENT_GROUP_H

#include "ascent.h"
#include "fused.h"

#include <math.h>
#include <string.h>

#define MOST_STORED ((size_t)1 << 17) /* factors of a group that are copied side by side */
#define MOST_COMPARED 256             /* factors with which another one is compared */

/* A class that a row is compared with. */
typedef struct {
    const double *factors;
    double base;
} Rival;

/* A row that says something: its rivals, and the factors of its own class. */
typedef struct {
    size_t rivals;
    size_t end;
    const double *own;
    double weight;
} Row;

/* The group at work. Numbers for each factor are padded with zeros to whole lanes. */
typedef struct {
    size_t row_count;
    Row *row;
    Rival *rival;
    size_t slots;
    uint32_t *slot; /* the classes that are kept, and how many each stands for */
    double *multiplicity;
    size_t count;  /* factors that tell classes apart */
    size_t stride; /* the same, padded */
    uint32_t *factor;
    double *copies;  /* how many factors each of them stands for */
    uint32_t *stands; /* the place in `factor` of the one that stands for a factor, UINT32_MAX for none */
    double *checksum;
    int stored;
    double *relative; /* factors relative to the row's own class: of all rivals, or of one row's */
    double *posterior; /* of all rivals */
    double *own_posterior;
    double *solution;
    uint64_t *differs;
    double *spread; /* TOGETHER vectors */
    double *zero;   /* the vector of a row's own class, relative to itself */
    double *mean;
    double *point;
    double *trial;
    double *gradient;
    double *matrix;
    double *reduced;
    double *step;
    double *move;
    double *rest;
    double *low;
    double *high;
    int8_t *held;
    uint32_t *free;
} Group;

INLINE const double *
factors_of(const Task *task, size_t row, size_t c)
{
    return task->log_factors + (row * task->class_count + c) * task->factors;
}

INLINE int
holds_zero(const double *log, size_t count)
{
    uint64_t zero = 0;
    for (size_t i = 0; i < count; i++) {
        zero |= log[i] == -INFINITY ? 1 : 0;
    }
    return zero != 0;
}

/* Whether probability zero is among a row's prior and factors for a class. */
INLINE int
is_impossible(const Task *task, size_t row, size_t c)
{
    return task->log_prior[row * task->class_count + c] == -INFINITY ||
           holds_zero(factors_of(task, row, c), task->factors);
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

/* Whether all rows of a group give two classes the same prior and factors. */
INLINE int
look_alike(const Task *task, size_t g, size_t one, size_t other)
{
    for (size_t row = task->start[g]; row < task->start[g + 1]; row++) {
        const double *prior = task->log_prior + row * task->class_count;
        if (!(prior[one] == prior[other]) ||
            !are_equal(factors_of(task, row, one), factors_of(task, row, other), task->factors)) {
            return 0;
        }
    }
    return 1;
}

/* Choose the classes to keep; returns how many of them have rows. */
INLINE size_t
choose_classes(const Task *task, size_t g, Group *group)
{
    size_t present = 0, pattern = SIZE_MAX, place = 0;
    memset(group->multiplicity, 0, task->class_count * sizeof *group->multiplicity);
    for (size_t row = task->start[g]; row < task->start[g + 1]; row++) {
        double *has_rows = &group->multiplicity[task->classes[row]];
        present += task->row_weights[row] > 0.0 && *has_rows == 0.0;
        *has_rows = task->row_weights[row] > 0.0 ? 1.0 : *has_rows;
    }
    group->slots = 0;
    for (size_t c = 0; present > 1 && c < task->class_count; c++) {
        int has_rows = group->multiplicity[c] > 0.0;
        if (!has_rows && pattern != SIZE_MAX && look_alike(task, g, c, pattern)) {
            group->multiplicity[place]++;
            continue;
        }
        if (!has_rows && pattern == SIZE_MAX) {
            pattern = c;
            place = group->slots;
        }
        group->slot[group->slots] = (uint32_t)c;
        group->multiplicity[group->slots++] = 1.0; /* never beyond c */
    }
    return present;
}

/* List the rows that say something, and their rivals. */
INLINE void
list_rows(const Task *task, size_t g, Group *group)
{
    size_t rivals = 0;
    group->row_count = 0;
    for (size_t row = task->start[g]; row < task->start[g + 1]; row++) {
        size_t own = task->classes[row];
        const double *prior = task->log_prior + row * task->class_count;
        if (!(task->row_weights[row] > 0.0) || is_impossible(task, row, own)) {
            continue;
        }
        Row *to = &group->row[group->row_count++];
        *to = (Row){rivals, rivals, factors_of(task, row, own), task->row_weights[row]};
        for (size_t s = 0; s < group->slots; s++) {
            size_t c = group->slot[s];
            if (c != own && !is_impossible(task, row, c)) {
                group->rival[rivals++] =
                    (Rival){factors_of(task, row, c), prior[c] - prior[own] + log(group->multiplicity[s])};
            }
        }
        to->end = rivals;
    }
}

INLINE void
add_differences(const double *restrict one, const double *restrict other, double scale, size_t count,
                double *restrict to)
{
    for (size_t i = 0; i < count; i++) {
        to[i] += (one[i] - other[i]) * scale;
    }
}

INLINE void
mark_differences(const double *restrict one, const double *restrict other, size_t count, uint64_t *restrict differs)
{
    for (size_t i = 0; i < count; i++) {
        differs[i] |= one[i] != other[i] ? 1 : 0;
    }
}

/* Write a sum of all relative values of each factor, each with a coefficient of its own. */
INLINE void
add_checksums(const Task *task, Group *group)
{
    double coefficient = 1.0;
    memset(group->checksum, 0, task->factors * sizeof *group->checksum);
    for (size_t l = 0; l < group->row_count; l++) {
        const Row *row = &group->row[l];
        for (size_t e = row->rivals; e < row->end; e++) {
            coefficient = coefficient < 2.0 ? coefficient * 1.37 : coefficient * 0.53;
            add_differences(group->rival[e].factors, row->own, coefficient, task->factors, group->checksum);
        }
    }
}

/* Whether two factors have the same relative values in all rows. */
INLINE int
are_copies(const Group *group, size_t one, size_t other)
{
    for (size_t l = 0; l < group->row_count; l++) {
        const Row *row = &group->row[l];
        for (size_t e = row->rivals; e < row->end; e++) {
            const double *factors = group->rival[e].factors;
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
list_factors(const Task *task, int wide, Group *group)
{
    memset(group->differs, 0, task->factors * sizeof *group->differs);
    for (size_t l = 0; l < group->row_count; l++) {
        const Row *row = &group->row[l];
        for (size_t e = row->rivals; e < row->end; e++) {
            mark_differences(group->rival[e].factors, row->own, task->factors, group->differs);
        }
    }
    add_checksums(task, group);
    group->count = 0;
    for (size_t f = 0; f < task->factors; f++) {
        group->stands[f] = group->differs[f] ? standing_for(group, f) : UINT32_MAX;
    }
    const size_t width = wide ? WIDE_WIDTH : WIDTH;
    group->stride = (group->count + width - 1) / width * width;
}

/* Write the relative factors of a row's rivals. */
INLINE void
write_relative(const Group *group, const Row *row, double *restrict to)
{
    const uint32_t *factor = group->factor;
    const double *own = row->own, *copies = group->copies;
    size_t count = group->count;
    for (size_t e = row->rivals; e < row->end; e++, to += group->stride) {
        const double *factors = group->rival[e].factors;
        if (factor[count - 1] + 1 == count) {
            for (size_t i = 0; i < count; i++) {
                to[i] = (factors[i] - own[i]) * copies[i];
            }
        } else {
            for (size_t i = 0; i < count; i++) {
                to[i] = (factors[factor[i]] - own[factor[i]]) * copies[i];
            }
        }
        for (size_t i = count; i < group->stride; i++) {
            to[i] = 0.0;
        }
    }
}

INLINE const double *
relative_of(const Group *group, const Row *row)
{
    if (group->stored) {
        return group->relative + row->rivals * group->stride;
    }
    write_relative(group, row, group->relative);
    return group->relative;
}

INLINE void
store_relative(Group *group)
{
    size_t rivals = group->row_count > 0 ? group->row[group->row_count - 1].end : 0;
    group->stored = rivals * group->stride <= MOST_STORED;
    for (size_t l = 0; group->stored && l < group->row_count; l++) {
        write_relative(group, &group->row[l], group->relative + group->row[l].rivals * group->stride);
    }
}

#endif
