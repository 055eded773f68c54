/* The conditional log likelihood of a group at a point, and the posteriors behind it. */
#ifndef NBFRAMEWORK_ASCENT_LIKELIHOOD_H
#define NBFRAMEWORK_ASCENT_LIKELIHOOD_H

#include "ascent_group.h"
#include "fused.h"

#include <math.h>
#include <string.h>

#define FEW 64        /* exponentials or logarithms that are taken at a time */
#define STEEPEST 600.0 /* a score whose exponential, times any number of classes, is finite */

/* Write the scores of all rivals of a group to its posteriors; returns whether one is too large for its exponential. */
INLINE int
score_rivals(const Task *task, Span span, Group *group, const double *point)
{
    size_t rivals = group->row_count > 0 ? group->row[group->row_count - 1].end : 0;
    for (size_t l = 0; l < group->row_count;) {
        const Row *row = &group->row[l];
        const double *relative = relative_of(task, span, group, row), *base = group->base + row->rivals;
        double *score = group->posterior + row->rivals;
        size_t count = (group->stored ? rivals : row->end) - row->rivals;
        IN_SPAN(span, find_scores, relative, base, count, point, group->stride, score);
        l = group->stored ? group->row_count : l + 1;
    }
    uint64_t steep = 0;
    for (size_t e = 0; e < rivals; e++) {
        steep |= group->posterior[e] > STEEPEST ? 1 : 0;
    }
    return steep != 0;
}

/* Make the largest score of each row 0; returns what the value loses by it. */
INLINE double
lower_scores(Group *group)
{
    double loss = 0.0;
    for (size_t l = 0; l < group->row_count; l++) {
        const Row *row = &group->row[l];
        double top = 0.0;
        for (size_t e = row->rivals; e < row->end; e++) {
            top = group->posterior[e] > top ? group->posterior[e] : top;
        }
        for (size_t e = row->rivals; e < row->end; e++) {
            group->posterior[e] -= top;
        }
        group->own_posterior[l] = -top;
        loss += row->weight * top;
    }
    return loss;
}

INLINE void
take_exponentials(double *score, size_t count)
{
    for (size_t first = 0; first < count; first += FEW) {
        size_t some = count - first < FEW ? count - first : FEW;
        double few[FEW];
        memcpy(few, score + first, some * sizeof *few);
        exponentials(few, 1.0, some, score + first);
    }
}

/* Return the sum of the rows' weights times the logarithms of their sums. */
INLINE double
add_logarithms(const Group *group, const double *sum)
{
    double total = 0.0;
    for (size_t first = 0; first < group->row_count; first += FEW) {
        size_t some = group->row_count - first < FEW ? group->row_count - first : FEW;
        double few[FEW];
        logarithms(sum + first, some, few);
        for (size_t i = 0; i < some; i++) {
            total += group->row[first + i].weight * few[i];
        }
    }
    return total;
}

INLINE double
penalty(const Task *task, const Group *group, const double *point)
{
    double sum = 0.0;
    for (size_t i = 0; i < group->count; i++) {
        sum += group->copies[i] * (point[i] - 1.0) * (point[i] - 1.0);
    }
    return 0.5 * task->pull * sum;
}

/* Return the value at a point; the posteriors of the rivals and of the rows' own classes stay behind. */
INLINE double
objective(const Task *task, Span span, Group *group, const double *point)
{
    double value = 0.0, *own = group->own_posterior, *likelihood = group->posterior;
    memset(own, 0, group->row_count * sizeof *own);
    if (score_rivals(task, span, group, point)) {
        value = -lower_scores(group);
    }
    take_exponentials(likelihood, group->row_count > 0 ? group->row[group->row_count - 1].end : 0);
    take_exponentials(own, group->row_count);
    for (size_t l = 0; l < group->row_count; l++) {
        const Row *row = &group->row[l];
        double sum = own[l];
        for (size_t e = row->rivals; e < row->end; e++) {
            sum += likelihood[e];
        }
        double inverse = 1.0 / sum;
        for (size_t e = row->rivals; e < row->end; e++) {
            likelihood[e] *= inverse;
        }
        own[l] *= inverse;
        group->sum[l] = sum;
    }
    return value - add_logarithms(group, group->sum) - penalty(task, group, point);
}

#endif
