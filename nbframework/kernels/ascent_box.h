/* The step of the ascent: the maximiser of the damped quadratic model in the box.
 *
 * Coordinate ascent guesses it, exchanges of bounds find it, and where they go round in circles an active-set method.
 */
#ifndef NBFRAMEWORK_ASCENT_BOX_H
#define NBFRAMEWORK_ASCENT_BOX_H

#include "ascent_derivatives.h"
#include "ascent_group.h"
#include "fused.h"

#include <math.h>
#include <string.h>

#define DAMPING 1e-2
#define FLOOR 1e-14
#define SWEEPS 3
#define EXCHANGES 30

INLINE void
add_scaled(const double *restrict vector, double scale, size_t count, double *restrict to)
{
    for (size_t i = 0; i < count; i++) {
        to[i] += vector[i] * scale;
    }
}

INLINE double
clip(double number, double low, double high)
{
    number = number > low ? number : low;
    return number < high ? number : high;
}

/* Write slope - matrix . step to `rest`. */
INLINE void
find_rest(Group *group, const double *step)
{
    memcpy(group->rest, group->gradient, group->stride * sizeof(double));
    for (size_t j = 0; j < group->count; j++) {
        if (step[j] != 0.0) {
            add_scaled(group->matrix + j * group->stride, -step[j], group->stride, group->rest);
        }
    }
}

/* Write the Newton moves of the numbers that are not held, 0 for the others, from `rest`: a Cholesky solution. */
INLINE void
solve_free(Group *group)
{
    size_t count = 0;
    for (size_t i = 0; i < group->count; i++) {
        group->move[i] = 0.0;
        if (group->held[i] == 0) {
            group->free[count++] = (uint32_t)i;
        }
    }
    double *upper = group->reduced, *solution = group->solution;
    size_t stride = padded(count, IN_LANES);
    for (size_t i = 0; i < count; i++) {
        const double *line = group->matrix + group->free[i] * group->stride;
        for (size_t j = i; j < count; j++) {
            upper[i * stride + j] = line[group->free[j]];
        }
        solution[i] = group->rest[group->free[i]];
    }
    for (size_t k = 0; k < count; k++) {
        double *line = upper + k * stride, pivot = line[k] > 0.0 ? sqrt(line[k]) : 1e-150;
        for (size_t j = k; j < count; j++) {
            line[j] /= pivot;
        }
        line[k] = pivot;
        solution[k] /= pivot;
        for (size_t i = k + 1; i < count; i++) {
            add_scaled(line + i, -line[i], count - i, upper + i * stride + i);
        }
        add_scaled(line + k + 1, -solution[k], count - k - 1, solution + k + 1);
    }
    for (size_t k = count; k-- > 0;) {
        double sum = solution[k];
        for (size_t j = k + 1; j < count; j++) {
            sum -= upper[k * stride + j] * solution[j];
        }
        solution[k] = sum / upper[k * stride + k];
        group->move[group->free[k]] = solution[k];
    }
}

/* Write a feasible step near the best one, by coordinate ascent, and the bounds that it holds. */
INLINE void
guess_step(Group *group)
{
    double *inverse = group->solution;
    memcpy(group->rest, group->gradient, group->stride * sizeof(double));
    for (size_t j = 0; j < group->count; j++) {
        inverse[j] = 1.0 / group->matrix[j * group->stride + j];
    }
    for (size_t sweep = 0; sweep < SWEEPS; sweep++) {
        for (size_t j = 0; j < group->count; j++) {
            double to = clip(group->step[j] + group->rest[j] * inverse[j], group->low[j], group->high[j]);
            double change = to - group->step[j];
            group->step[j] = to;
            if (change != 0.0) {
                add_scaled(group->matrix + j * group->stride, -change, group->stride, group->rest);
            }
        }
    }
    for (size_t i = 0; i < group->count; i++) {
        group->held[i] = group->step[i] <= group->low[i] ? -1 : group->step[i] >= group->high[i] ? 1 : 0;
    }
}

/* Find the best step from the bounds that are held, by block principal pivoting (Judice & Pires 1994); returns whether
 * it is found. */
INLINE int
exchange_bounds(Group *group, double zero)
{
    double *d = group->trial;
    for (size_t round = 0; round < EXCHANGES; round++) {
        int settled = 1;
        memset(d, 0, group->stride * sizeof(double));
        for (size_t i = 0; i < group->count; i++) {
            d[i] = group->held[i] < 0 ? group->low[i] : group->held[i] > 0 ? group->high[i] : 0.0;
        }
        find_rest(group, d);
        solve_free(group);
        for (size_t i = 0; i < group->count; i++) {
            d[i] += group->move[i];
        }
        find_rest(group, d);
        for (size_t i = 0; i < group->count; i++) {
            double slack = 1e-12 * (group->high[i] - group->low[i]);
            int8_t held = group->held[i];
            if (held == 0) {
                group->held[i] = d[i] < group->low[i] - slack ? -1 : d[i] > group->high[i] + slack ? 1 : 0;
            } else if (group->low[i] < group->high[i] && held * group->rest[i] < -zero) {
                group->held[i] = 0;
            }
            settled &= group->held[i] == held;
        }
        if (settled) {
            for (size_t i = 0; i < group->count; i++) {
                group->step[i] = clip(d[i], group->low[i], group->high[i]);
            }
            return 1;
        }
    }
    return 0;
}

/* Go along the move until a bound is met, and hold what met one; returns whether one was. */
INLINE int
move_to_bound(Group *group)
{
    double share = 1.0;
    int met = 0;
    for (size_t i = 0; i < group->count; i++) {
        double move = group->move[i], room = (move < 0.0 ? group->low[i] : group->high[i]) - group->step[i];
        if (group->held[i] == 0 && move != 0.0 && room / move < share) {
            share = room / move;
            met = 1;
        }
    }
    for (size_t i = 0; i < group->count; i++) {
        double move = group->move[i], room = (move < 0.0 ? group->low[i] : group->high[i]) - group->step[i];
        int blocked = met && group->held[i] == 0 && move != 0.0 && room / move <= share;
        group->step[i] = clip(group->step[i] + share * move, group->low[i], group->high[i]);
        if (blocked) {
            group->step[i] = move < 0.0 ? group->low[i] : group->high[i];
            group->held[i] = 1;
        }
    }
    return met;
}

/* Improve a feasible step by a primal active-set method, which releases one bound at a time. */
INLINE void
settle_bounds(Group *group, double zero)
{
    for (size_t i = 0; i < group->count; i++) {
        group->held[i] = group->step[i] <= group->low[i] || group->step[i] >= group->high[i];
    }
    for (size_t round = 0; round < 20 * group->count + 20; round++) {
        find_rest(group, group->step);
        solve_free(group);
        if (move_to_bound(group)) {
            continue;
        }
        find_rest(group, group->step);
        double worst = zero;
        size_t place = group->count;
        for (size_t i = 0; i < group->count; i++) {
            double wrong = group->step[i] <= group->low[i] ? group->rest[i] : -group->rest[i];
            if (group->held[i] && group->low[i] < group->high[i] && wrong > worst) {
                worst = wrong;
                place = i;
            }
        }
        if (place == group->count) {
            return;
        }
        group->held[place] = 0;
    }
}

/* Write the step that maximises the damped quadratic model; returns the gain that it promises. The bounds that the step
 * before held, if any, are held at first. */
INLINE double
newton_step(const Task *task, int first, Group *group)
{
    double slope = 0.0, largest = 0.0, steepest = 0.0, promise = 0.0;
    for (size_t i = 0; i < group->count; i++) {
        double gradient = group->gradient[i], size = fabs(gradient);
        group->low[i] = task->lower - group->point[i];
        group->high[i] = task->upper - group->point[i];
        int may_move = gradient > 0.0 ? group->high[i] > 0.0 : group->low[i] < 0.0;
        slope = may_move && size > slope ? size : slope;
        steepest = size > steepest ? size : steepest;
        largest = group->diagonal[i] > largest ? group->diagonal[i] : largest;
    }
    for (size_t i = 0; i < group->count; i++) {
        group->matrix[i * group->stride + i] = group->diagonal[i] + DAMPING * slope + FLOOR * largest;
    }
    memset(group->step, 0, group->stride * sizeof(double));
    if (first) {
        guess_step(group);
    }
    if (!exchange_bounds(group, 1e-13 * steepest)) {
        settle_bounds(group, 1e-13 * steepest);
    }
    find_rest(group, group->step);
    for (size_t i = 0; i < group->count; i++) {
        promise += 0.5 * (group->gradient[i] + group->rest[i]) * group->step[i];
    }
    return promise;
}

#endif
