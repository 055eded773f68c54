/* The conditional log likelihood of a group at a point, and the posteriors behind it. */
#ifndef NBFRAMEWORK_ASCENT_LIKELIHOOD_H
#define NBFRAMEWORK_ASCENT_LIKELIHOOD_H

#include "ascent_group.h"
#include "fused.h"

#include <math.h>
#include <string.h>

#define FEW 64 /* exponentials that are taken at a time */

INLINE double
total_of(const Lanes *lanes)
{
    double part[WIDTH], total = 0.0;
    memcpy(part, lanes, sizeof part);
    for (size_t i = 0; i < WIDTH; i++) {
        total += part[i];
    }
    return total;
}

/* Write the scores of a row's rivals, that of its own class being 0; returns the largest. */
INLINE double
score_rivals(const double *relative, size_t rivals, const Rival *rival, const double *point, size_t stride,
             double *score)
{
    double top = 0.0;
    for (size_t e = 0; e < rivals; e++, relative += stride) {
        const Lanes *x = (const Lanes *)relative, *w = (const Lanes *)point;
        Lanes sum = {0};
        for (size_t i = 0; i < stride / WIDTH; i++) {
            sum += x[i] * w[i];
        }
        score[e] = rival[e].base + total_of(&sum);
        top = score[e] > top ? score[e] : top;
    }
    return top;
}

/* Subtract the row's largest score. */
INLINE void
subtract(double *restrict score, size_t rivals, double top)
{
    for (size_t e = 0; e < rivals; e++) {
        score[e] -= top;
    }
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
objective(const Task *task, const Group *group, const double *point)
{
    double value = 0.0, *own = group->own_posterior, *score = group->posterior;
    size_t rivals = group->row_count > 0 ? group->row[group->row_count - 1].end : 0;
    for (size_t l = 0; l < group->row_count; l++) {
        const Row *row = &group->row[l];
        double *to = score + row->rivals;
        double top = score_rivals(relative_of(group, row), row->end - row->rivals, group->rival + row->rivals, point,
                                  group->stride, to);
        subtract(to, row->end - row->rivals, top);
        own[l] = -top;
        value -= row->weight * top;
    }
    take_exponentials(score, rivals);
    take_exponentials(own, group->row_count);
    for (size_t l = 0; l < group->row_count; l++) {
        const Row *row = &group->row[l];
        double sum = own[l];
        for (size_t e = row->rivals; e < row->end; e++) {
            sum += score[e];
        }
        for (size_t e = row->rivals; e < row->end; e++) {
            score[e] /= sum;
        }
        own[l] /= sum;
        value -= row->weight * log(sum);
    }
    return value - penalty(task, group, point);
}

#endif
