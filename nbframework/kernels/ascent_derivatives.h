/* The gradient and the negated Hessian of a group's conditional log likelihood.
 *
 * The Hessian is a sum of products of vectors with themselves, a few of which are added at a time.
 */
#ifndef NBFRAMEWORK_ASCENT_DERIVATIVES_H
#define NBFRAMEWORK_ASCENT_DERIVATIVES_H

#include "ascent_group.h"
#include "fused.h"

#include <math.h>
#include <string.h>

#define TOGETHER 8
#define NEGLIGIBLE 1e-20 /* the square root of what a class adds to the curvature of a row */

INLINE void
add_scaled(const double *restrict vector, double scale, size_t count, double *restrict to)
{
    for (size_t i = 0; i < count; i++) {
        to[i] += vector[i] * scale;
    }
}

/* Of TOGETHER vectors the first lanes of all lie side by side, then the second ones, and so on. */
#define WITH_LANES(VECTOR, ADD_PRODUCTS, SPREAD_OUT, FIND_MEAN)                                                       \
    /* Add the products of the vectors with themselves to the upper half of a matrix. */                              \
    INLINE void ADD_PRODUCTS(const double *vectors, size_t stride, size_t count, double *matrix)                      \
    {                                                                                                                 \
        const size_t width = sizeof(VECTOR) / sizeof(double);                                                         \
        for (size_t i = 0; i < count; i++) {                                                                          \
            const double *own = vectors + i / width * width * TOGETHER + i % width;                                   \
            for (size_t j = i / width * width; j < stride; j += width) {                                              \
                const VECTOR *other = (const VECTOR *)(vectors + j * TOGETHER);                                       \
                VECTOR one = *(const VECTOR *)&matrix[i * stride + j], two = {0};                                     \
                for (size_t k = 0; k < TOGETHER; k += 2) {                                                            \
                    one += own[k * width] * other[k];                                                                 \
                    two += own[(k + 1) * width] * other[k + 1];                                                       \
                }                                                                                                     \
                *(VECTOR *)&matrix[i * stride + j] = one + two;                                                       \
            }                                                                                                         \
        }                                                                                                             \
    }                                                                                                                 \
    /* Write (vector - mean) * scale as one of TOGETHER vectors; of NULL zeros. */                                    \
    INLINE void SPREAD_OUT(const double *vector, const double *mean, double scale, size_t stride, size_t place,       \
                           double *vectors)                                                                           \
    {                                                                                                                 \
        const size_t width = sizeof(VECTOR) / sizeof(double);                                                         \
        for (size_t j = 0; j < stride; j += width) {                                                                  \
            VECTOR spread = {0};                                                                                      \
            if (vector != NULL) {                                                                                     \
                spread = (*(const VECTOR *)&vector[j] - *(const VECTOR *)&mean[j]) * scale;                           \
            }                                                                                                         \
            *(VECTOR *)&vectors[j * TOGETHER + place * width] = spread;                                               \
        }                                                                                                             \
    }                                                                                                                 \
    /* Write the mean of the vectors of a row. */                                                                     \
    INLINE void FIND_MEAN(const double *vectors, const double *share, size_t count, size_t stride, double *mean)      \
    {                                                                                                                 \
        const size_t width = sizeof(VECTOR) / sizeof(double);                                                         \
        for (size_t j = 0; j < stride; j += width) {                                                                  \
            VECTOR sum = {0};                                                                                         \
            for (size_t e = 0; e < count; e++) {                                                                      \
                sum += *(const VECTOR *)&vectors[e * stride + j] * share[e];                                          \
            }                                                                                                         \
            *(VECTOR *)&mean[j] = sum;                                                                                \
        }                                                                                                             \
    }

WITH_LANES(Lanes, add_products, spread_out, find_mean)
WITH_LANES(WideLanes, add_wide_products, spread_out_widely, find_wide_mean)

INLINE void
put_spread(Group *group, int wide, const double *vector, double scale, size_t place)
{
    if (wide) {
        spread_out_widely(vector, group->mean, scale, group->stride, place, group->spread);
    } else {
        spread_out(vector, group->mean, scale, group->stride, place, group->spread);
    }
}

/* Collect vectors and add their products a few at a time; NULL adds those that are left. */
INLINE void
collect(Group *group, int wide, size_t *waiting, const double *vector, double scale)
{
    if (vector != NULL && scale > NEGLIGIBLE) {
        put_spread(group, wide, vector, scale, (*waiting)++);
    }
    if (*waiting < TOGETHER && (vector != NULL || *waiting == 0)) {
        return;
    }
    for (; *waiting < TOGETHER; ++*waiting) {
        put_spread(group, wide, NULL, 0.0, *waiting);
    }
    if (wide) {
        add_wide_products(group->spread, group->stride, group->count, group->matrix);
    } else {
        add_products(group->spread, group->stride, group->count, group->matrix);
    }
    *waiting = 0;
}

/* Add a row's part of the gradient and of the negated Hessian. */
INLINE void
differentiate_row(Group *group, int wide, size_t l, size_t *waiting)
{
    const Row *row = &group->row[l];
    const double *relative = relative_of(group, row), *posterior = group->posterior + row->rivals;
    size_t rivals = row->end - row->rivals, stride = group->stride;
    double own = group->own_posterior[l];
    if (rivals == 1) {
        memset(group->mean, 0, stride * sizeof(double));
        /* of two classes, the spreads are one vector twice */
        add_scaled(relative, -row->weight * posterior[0], stride, group->gradient);
        collect(group, wide, waiting, relative, sqrt(posterior[0] * own * row->weight));
        return;
    }
    if (wide) {
        find_wide_mean(relative, posterior, rivals, stride, group->mean);
    } else {
        find_mean(relative, posterior, rivals, stride, group->mean);
    }
    add_scaled(group->mean, -row->weight, stride, group->gradient);
    for (size_t e = 0; e < rivals; e++) {
        collect(group, wide, waiting, relative + e * stride, sqrt(posterior[e] * row->weight));
    }
    collect(group, wide, waiting, group->zero, sqrt(own * row->weight));
}

/* Write the gradient and the negated Hessian at the point whose value was found last. */
INLINE void
differentiate(const Task *task, int wide, Group *group)
{
    size_t stride = group->stride, waiting = 0;
    memset(group->gradient, 0, stride * sizeof(double));
    memset(group->matrix, 0, group->count * stride * sizeof(double));
    for (size_t l = 0; l < group->row_count; l++) {
        differentiate_row(group, wide, l, &waiting);
    }
    collect(group, wide, &waiting, NULL, 0.0);
    for (size_t i = 0; i < group->count; i++) {
        double pull = task->pull * group->copies[i];
        group->gradient[i] -= pull * (group->point[i] - 1.0);
        group->matrix[i * stride + i] += pull;
        for (size_t j = 0; j < i; j++) {
            group->matrix[i * stride + j] = group->matrix[j * stride + i];
        }
    }
}

#endif
