/* The gradient and the negated Hessian of a group's conditional log likelihood.
 *
 * The Hessian is the sum, over the rows, of the covariances of the relative factors under the posteriors of the
 * classes. A covariance is taken apart class by class, as Welford (1962) takes a variance apart: a class of posterior p,
 * beside earlier ones of posterior m together, adds p m / (p + m) times the product of its distance from their mean with
 * itself. Products are added many at a time, a tile of the matrix staying in registers meanwhile.
 */
#ifndef NBFRAMEWORK_ASCENT_DERIVATIVES_H
#define NBFRAMEWORK_ASCENT_DERIVATIVES_H

#include "ascent_group.h"
#include "fused.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define TOGETHER 64      /* vectors, those of the last row apart, whose products are added at a time */
#define NEGLIGIBLE 1e-20 /* the square root of what a class adds to the curvature of a row */

/* Add the products of the vectors that wait; none waits then. */
INLINE size_t
add_waiting(Group *group, Span span, size_t waiting)
{
    IN_SPAN(span, add_products, group->spread, waiting, group->stride, group->matrix);
    return 0;
}

/* Write how a rival moves the mean of its row, the square root of what it adds to the covariance, and whether that
 * counts. */
INLINE void
find_shares(Group *group, size_t rivals)
{
    double *restrict share = group->share, *restrict scale = group->scale;
    const double *restrict posterior = group->posterior, *restrict times = group->times;
    uint8_t *restrict counts = group->counts;
    for (size_t l = 0; l < group->row_count; l++) {
        double together = group->own_posterior[l];
        for (size_t e = group->row[l].rivals; e < group->row[l].end; e++) {
            scale[e] = together;
            together += posterior[e];
            share[e] = together;
        }
    }
    for (size_t e = 0; e < rivals; e++) {
        double together = share[e] > DBL_MIN ? share[e] : DBL_MIN;
        share[e] = posterior[e] / together;
        scale[e] = sqrt(times[e] * (scale[e] / together));
        counts[e] = scale[e] > NEGLIGIBLE;
    }
}

/* Let the vectors of a row's covariance wait; returns how many wait now. */
INLINE size_t
take_row_apart(const Task *task, Span span, Group *group, size_t l, size_t waiting)
{
    const Row *row = &group->row[l];
    const double *relative = relative_of(task, span, group, row), *share = group->share + row->rivals;
    const double *scale = group->scale + row->rivals;
    const uint8_t *counts = group->counts + row->rivals;
    size_t rivals = row->end - row->rivals;
    double *to = group->spread + waiting * group->stride;
    IN_SPAN(span, take_apart, relative, share, scale, counts, rivals, group->stride, to);
    for (size_t e = 0; e < rivals; e++) {
        waiting += counts[e];
    }
    return waiting < TOGETHER ? waiting : add_waiting(group, span, waiting);
}

/* Write the gradient at the point whose value was found last. */
INLINE void
find_gradient(const Task *task, Span span, Group *group)
{
    double *times = group->times;
    memset(group->gradient, 0, group->stride * sizeof(double));
    for (size_t l = 0; l < group->row_count; l++) {
        for (size_t e = group->row[l].rivals; e < group->row[l].end; e++) {
            times[e] = group->posterior[e] * group->row[l].weight;
        }
    }
    for (size_t l = 0; l < group->row_count;) {
        const Row *row = &group->row[l];
        const double *relative = relative_of(task, span, group, row);
        l = group->stored ? group->row_count : l + 1;
        size_t rivals = group->row[l - 1].end - row->rivals;
        IN_SPAN(span, subtract, relative, times + row->rivals, rivals, group->stride, group->gradient);
    }
    for (size_t i = 0; i < group->count; i++) {
        group->gradient[i] -= task->pull * group->copies[i] * (group->point[i] - 1.0);
    }
}

/* Write the negated Hessian at the point whose gradient was found last. */
INLINE void
find_hessian(const Task *task, Span span, Group *group)
{
    size_t stride = group->stride, waiting = 0;
    memset(group->matrix, 0, stride * stride * sizeof(double));
    find_shares(group, group->row_count > 0 ? group->row[group->row_count - 1].end : 0);
    for (size_t l = 0; l < group->row_count; l++) {
        waiting = take_row_apart(task, span, group, l, waiting);
    }
    add_waiting(group, span, waiting);
    for (size_t i = 0; i < group->count; i++) {
        group->diagonal[i] = group->matrix[i * stride + i] + task->pull * group->copies[i];
        for (size_t j = 0; j < i; j++) {
            group->matrix[i * stride + j] = group->matrix[j * stride + i];
        }
    }
}

#endif
