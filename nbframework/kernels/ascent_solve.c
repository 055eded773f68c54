/* The ascent of each group, compiled for several kinds of processors, and its memory. */

#include "ascent.h"
#include "ascent_box.h"
#include "ascent_derivatives.h"
#include "ascent_group.h"
#include "ascent_likelihood.h"
#include "ascent_reduction.h"
#include "fused.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HALVINGS 40
#define ARMIJO 1e-4
#define ROUNDING 1e-14
#define NEAR 1e-7   /* a step that promises less hardly changes the Hessian, which serves the next one, too */
#define SHRUNK 1e-4 /* what the next one may then promise, relative to it */

/* Take the step, halved until it keeps a part of what it promises; returns whether it rose. */
INLINE int
take_step(const Task *task, Span span, Group *group, double promise, double *value)
{
    double share = 1.0;
    for (size_t halving = 0; halving < HALVINGS; halving++, share /= 2.0) {
        for (size_t i = 0; i < group->stride; i++) {
            group->trial[i] = group->point[i] + share * group->step[i];
        }
        double found = objective(task, span, group, group->trial);
        if (found >= *value + ARMIJO * share * promise - ROUNDING * (1.0 + fabs(*value))) {
            memcpy(group->point, group->trial, group->stride * sizeof(double));
            *value = found;
            return 1;
        }
    }
    return 0;
}

INLINE int
ascend(const Task *task, Span span, Group *group)
{
    memset(group->point, 0, group->stride * sizeof(double));
    for (size_t i = 0; i < group->count; i++) {
        group->point[i] = clip(task->first, task->lower, task->upper);
    }
    double value = objective(task, span, group, group->point), before = INFINITY;
    for (size_t iteration = 0; iteration < task->iterations; iteration++) {
        find_gradient(task, span, group);
        int again = before <= NEAR;
        if (!again) {
            find_hessian(task, span, group);
        }
        double promise = newton_step(task, iteration == 0, group);
        if (again && promise > SHRUNK * before) {
            find_hessian(task, span, group);
            promise = newton_step(task, 0, group);
        }
        before = promise;
        if (!(promise > task->tolerance * (1.0 + fabs(value)))) {
            return 1;
        }
        if (!take_step(task, span, group, promise, &value)) {
            return 0;
        }
    }
    return 0;
}

INLINE void
solve_group(const Task *task, Span span, size_t g, Group *group)
{
    double *points = task->points + g * task->factors;
    int mixed = choose_classes(task, g, group) > 1;
    task->finished[g] = 1;
    for (size_t f = 0; f < task->factors; f++) {
        points[f] = clip(mixed ? 1.0 : task->first, task->lower, task->upper);
    }
    if (!mixed) {
        return;
    }
    list_rows(task, span, g, group);
    if (group->count == 0) {
        return;
    }
    task->finished[g] = (uint8_t)ascend(task, span, group);
    for (size_t f = 0; f < task->factors; f++) {
        points[f] = group->stands[f] == UINT32_MAX ? points[f] : group->point[group->stands[f]];
    }
}

#define SOLVE(NAME, ATTRIBUTE, SPAN)                                                                                \
    ATTRIBUTE static void NAME(const Task *task, Group *group)                                                        \
    {                                                                                                                 \
        for (size_t g = 0; g < task->groups; g++) {                                                                   \
            solve_group(task, SPAN, g, group);                                                                      \
        }                                                                                                             \
    }

SOLVE(solve_widely, WIDE, IN_WIDE_LANES)
SOLVE(solve_fused, FUSED, IN_LANES)
SOLVE(solve, , IN_PAIRS)

/* --- memory ----------------------------------------------------------------------------------------------------- */

/* A piece of memory at a border of a cache line; sizes are added up first, with no memory yet. */
static void *
take(uintptr_t *place, size_t bytes)
{
    uintptr_t piece = *place;
    *place += (bytes + LINE - 1) / LINE * LINE;
    return (void *)piece;
}

static void
lay_out(const Task *task, size_t rows, uintptr_t *place, Group *group)
{
    size_t stride = padded(task->factors, IN_WIDE_LANES), classes = task->class_count;
    size_t relative = rows * classes * stride, most = classes * stride > MOST_STORED ? classes * stride : MOST_STORED;
    size_t rivals = rows * classes + PADDING; /* loops over vectors go on to whole lanes */
    size_t stored = (relative < most ? relative : most) + PADDING * stride;
    group->row = take(place, rows * sizeof *group->row);
    group->rival = take(place, rivals * sizeof *group->rival);
    group->base = take(place, rivals * sizeof(double));
    group->slot = take(place, classes * sizeof *group->slot);
    group->multiplicity = take(place, classes * sizeof(double));
    group->log_multiplicity = take(place, classes * sizeof(double));
    group->factor = take(place, stride * sizeof *group->factor);
    group->copies = take(place, (stride + PADDING) * sizeof *group->copies);
    group->kept = take(place, stride / PADDING);
    group->stands = take(place, stride * sizeof *group->stands);
    group->checksum = take(place, stride * sizeof *group->checksum);
    group->free = take(place, stride * sizeof *group->free);
    group->held = take(place, stride);
    group->all = take(place, stored * sizeof(double));
    group->room = take(place, stored * sizeof(double));
    group->posterior = take(place, rivals * sizeof(double));
    group->times = take(place, rivals * sizeof(double));
    group->share = take(place, rivals * sizeof(double));
    group->scale = take(place, rivals * sizeof(double));
    group->counts = take(place, rivals);
    group->own_posterior = take(place, rows * sizeof(double));
    group->sum = take(place, rows * sizeof(double));
    group->solution = take(place, stride * sizeof(double));
    group->differs = take(place, stride * sizeof *group->differs);
    group->alike = take(place, classes);
    group->spread = take(place, (TOGETHER + classes) * stride * sizeof(double));
    group->point = take(place, stride * sizeof(double));
    group->trial = take(place, stride * sizeof(double));
    group->gradient = take(place, stride * sizeof(double));
    group->matrix = take(place, stride * stride * sizeof(double));
    group->diagonal = take(place, stride * sizeof(double));
    group->reduced = take(place, stride * stride * sizeof(double));
    group->step = take(place, stride * sizeof(double));
    group->move = take(place, stride * sizeof(double));
    group->rest = take(place, stride * sizeof(double));
    group->low = take(place, stride * sizeof(double));
    group->high = take(place, stride * sizeof(double));
}

Fault
solve_groups(const Task *task)
{
    size_t rows = 0;
    for (size_t g = 0; g < task->groups; g++) {
        size_t size = task->start[g + 1] - task->start[g];
        rows = size > rows ? size : rows;
    }
    Group group;
    uintptr_t place = 0;
    lay_out(task, rows, &place, &group);
    void *memory = calloc((size_t)place + LINE, 1);
    if (memory == NULL) {
        return (Fault){NO_MEMORY, 0, 0};
    }
    place = (uintptr_t)ALIGNED(memory);
    lay_out(task, rows, &place, &group);
    (HAS_WIDE ? solve_widely : HAS_LANES ? solve_fused : solve)(task, &group);
    free(memory);
    return (Fault){FINE, 0, 0};
}
