/* conditional_likelihood_ascent: the attribute weights of highest conditional likelihood, group by group.
 *
 * Each group is made small first: rows that say nothing are left out, classes without rows that look alike in all of
 * them are merged, factors that tell no classes apart are fixed, and factors that are the same in all of them have one
 * weight, because the pull towards 1 leaves them no other. What is left is maximised by damped Newton steps, each the
 * exact maximiser of its quadratic model in the box. The algorithm is that of the definition; its sums are made in
 * another order.
 */

#include "fused.h"
#include "kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DAMPING 1e-2
#define FLOOR 1e-14
#define SWEEPS 3
#define EXCHANGES 30
#define HALVINGS 40
#define ARMIJO 1e-4
#define ROUNDING 1e-14
#define MOST_STORED ((size_t)1 << 17) /* factors of a group that are copied side by side */
#define MOST_COMPARED 256              /* factors with which another one is compared */
#define TOGETHER 8
#define FEW 64
#define NEGLIGIBLE 1e-20 /* the square root of what a class adds to the curvature of a row */

typedef struct {
    const double *log_prior;
    const double *log_factors;
    const uint32_t *classes;
    const double *row_weights;
    const size_t *start;
    size_t groups;
    size_t class_count;
    size_t factors;
    double lower;
    double upper;
    double first;
    double pull;
    double tolerance;
    size_t iterations;
    double *points;
    uint8_t *finished;
} Task;

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

/* --- making a group small --------------------------------------------------------------------------------------- */

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

/* --- the likelihood --------------------------------------------------------------------------------------------- */

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

/* --- the quadratic model in the box ----------------------------------------------------------------------------- */

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
    size_t stride = (count + WIDTH - 1) / WIDTH * WIDTH;
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

/* A feasible step near the best one, by coordinate ascent. */
INLINE void
guess_step(Group *group)
{
    memset(group->step, 0, group->stride * sizeof(double));
    memcpy(group->rest, group->gradient, group->stride * sizeof(double));
    for (size_t sweep = 0; sweep < SWEEPS; sweep++) {
        for (size_t j = 0; j < group->count; j++) {
            const double *line = group->matrix + j * group->stride;
            double to = clip(group->step[j] + group->rest[j] / line[j], group->low[j], group->high[j]);
            double change = to - group->step[j];
            group->step[j] = to;
            if (change != 0.0) {
                add_scaled(line, -change, group->stride, group->rest);
            }
        }
    }
}

/* Improve the step by block principal pivoting (Judice & Pires 1994); returns whether it is the best one. */
INLINE int
exchange_bounds(Group *group, double zero)
{
    double *d = group->trial;
    for (size_t i = 0; i < group->count; i++) {
        group->held[i] = group->step[i] <= group->low[i] ? -1 : group->step[i] >= group->high[i] ? 1 : 0;
    }
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

/* Write the step that maximises the damped quadratic model; returns the gain that it promises. */
INLINE double
newton_step(const Task *task, Group *group)
{
    double slope = 0.0, largest = 0.0, steepest = 0.0, promise = 0.0;
    for (size_t i = 0; i < group->count; i++) {
        double gradient = group->gradient[i], size = fabs(gradient), diagonal = group->matrix[i * group->stride + i];
        group->low[i] = task->lower - group->point[i];
        group->high[i] = task->upper - group->point[i];
        int may_move = gradient > 0.0 ? group->high[i] > 0.0 : group->low[i] < 0.0;
        slope = may_move && size > slope ? size : slope;
        steepest = size > steepest ? size : steepest;
        largest = diagonal > largest ? diagonal : largest;
    }
    for (size_t i = 0; i < group->count; i++) {
        group->matrix[i * group->stride + i] += DAMPING * slope + FLOOR * largest;
    }
    guess_step(group);
    if (!exchange_bounds(group, 1e-13 * steepest)) {
        settle_bounds(group, 1e-13 * steepest);
    }
    find_rest(group, group->step);
    for (size_t i = 0; i < group->count; i++) {
        promise += 0.5 * (group->gradient[i] + group->rest[i]) * group->step[i];
    }
    return promise;
}

/* --- the ascent ------------------------------------------------------------------------------------------------- */

/* Take the step, halved until it keeps a part of what it promises; returns whether it rose. */
INLINE int
take_step(const Task *task, Group *group, double promise, double *value)
{
    double share = 1.0;
    for (size_t halving = 0; halving < HALVINGS; halving++, share /= 2.0) {
        for (size_t i = 0; i < group->stride; i++) {
            group->trial[i] = group->point[i] + share * group->step[i];
        }
        double found = objective(task, group, group->trial);
        if (found >= *value + ARMIJO * share * promise - ROUNDING * (1.0 + fabs(*value))) {
            memcpy(group->point, group->trial, group->stride * sizeof(double));
            *value = found;
            return 1;
        }
    }
    return 0;
}

INLINE int
ascend(const Task *task, int wide, Group *group)
{
    memset(group->point, 0, group->stride * sizeof(double));
    for (size_t i = 0; i < group->count; i++) {
        group->point[i] = clip(task->first, task->lower, task->upper);
    }
    double value = objective(task, group, group->point);
    for (size_t iteration = 0; iteration < task->iterations; iteration++) {
        differentiate(task, wide, group);
        double promise = newton_step(task, group);
        if (!(promise > task->tolerance * (1.0 + fabs(value)))) {
            return 1;
        }
        if (!take_step(task, group, promise, &value)) {
            return 0;
        }
    }
    return 0;
}

INLINE void
solve_group(const Task *task, int wide, size_t g, Group *group)
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
    list_rows(task, g, group);
    list_factors(task, wide, group);
    if (group->count == 0) {
        return;
    }
    store_relative(group);
    task->finished[g] = (uint8_t)ascend(task, wide, group);
    for (size_t f = 0; f < task->factors; f++) {
        points[f] = group->stands[f] == UINT32_MAX ? points[f] : group->point[group->stands[f]];
    }
}

#define SOLVE(NAME, ATTRIBUTE, WIDELY)                                                                                \
    ATTRIBUTE static void NAME(const Task *task, Group *group)                                                        \
    {                                                                                                                 \
        for (size_t g = 0; g < task->groups; g++) {                                                                   \
            solve_group(task, WIDELY, g, group);                                                                      \
        }                                                                                                             \
    }

SOLVE(solve_widely, WIDE, 1)
SOLVE(solve_fused, FUSED, 0)
SOLVE(solve, , 0)

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
    size_t stride = (task->factors + WIDE_WIDTH - 1) / WIDE_WIDTH * WIDE_WIDTH, classes = task->class_count;
    size_t relative = rows * classes * stride, most = classes * stride > MOST_STORED ? classes * stride : MOST_STORED;
    group->row = take(place, rows * sizeof *group->row);
    group->rival = take(place, rows * classes * sizeof *group->rival);
    group->slot = take(place, classes * sizeof *group->slot);
    group->multiplicity = take(place, classes * sizeof(double));
    group->factor = take(place, stride * sizeof *group->factor);
    group->copies = take(place, stride * sizeof *group->copies);
    group->stands = take(place, stride * sizeof *group->stands);
    group->checksum = take(place, stride * sizeof *group->checksum);
    group->free = take(place, stride * sizeof *group->free);
    group->held = take(place, stride);
    group->relative = take(place, (relative < most ? relative : most) * sizeof(double));
    group->posterior = take(place, rows * classes * sizeof(double));
    group->own_posterior = take(place, rows * sizeof(double));
    group->solution = take(place, stride * sizeof(double));
    group->differs = take(place, stride * sizeof *group->differs);
    group->spread = take(place, TOGETHER * stride * sizeof(double));
    group->zero = take(place, stride * sizeof(double));
    group->mean = take(place, stride * sizeof(double));
    group->point = take(place, stride * sizeof(double));
    group->trial = take(place, stride * sizeof(double));
    group->gradient = take(place, stride * sizeof(double));
    group->matrix = take(place, stride * stride * sizeof(double));
    group->reduced = take(place, stride * stride * sizeof(double));
    group->step = take(place, stride * sizeof(double));
    group->move = take(place, stride * sizeof(double));
    group->rest = take(place, stride * sizeof(double));
    group->low = take(place, stride * sizeof(double));
    group->high = take(place, stride * sizeof(double));
}

static Fault
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
    place = ((uintptr_t)memory + LINE - 1) / LINE * LINE;
    lay_out(task, rows, &place, &group);
    (HAS_WIDE ? solve_widely : FUSES ? solve_fused : solve)(task, &group);
    free(memory);
    return (Fault){FINE, 0, 0};
}

/* --- arguments -------------------------------------------------------------------------------------------------- */

typedef struct {
    Doubles log_prior;
    Doubles log_factors;
    Integers classes;
    Doubles row_weights;
    Doubles points;
    Py_buffer finished;
    int finished_open;
    size_t *start;
    uint32_t *codes;
} Given;

static int
open_finished(PyObject *object, size_t groups, Given *given)
{
    if (PyObject_GetBuffer(object, &given->finished, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | PyBUF_WRITABLE) < 0) {
        return -1;
    }
    given->finished_open = 1;
    const Py_buffer *buffer = &given->finished;
    if (buffer->format == NULL || strcmp(buffer->format, "?") != 0 || buffer->ndim != 1 ||
        (size_t)buffer->shape[0] != groups) {
        PyErr_Format(PyExc_ValueError, "finished: expected %zu truth values", groups);
        return -1;
    }
    return 0;
}

static int
check_shapes(const Task *task, size_t rows, const Given *given)
{
    if ((size_t)given->log_prior.buffer.shape[0] != rows ||
        (size_t)given->log_prior.buffer.shape[1] != task->class_count) {
        PyErr_Format(PyExc_ValueError, "log_prior: expected (%zu, %zu) numbers", rows, task->class_count);
        return -1;
    }
    if (given->classes.length != rows || given->row_weights.length != rows) {
        PyErr_Format(PyExc_ValueError, "classes, row_weights: expected %zu, one for each row", rows);
        return -1;
    }
    if ((size_t)given->points.buffer.shape[1] != task->factors) {
        PyErr_Format(PyExc_ValueError, "points: expected %zu weights for each group", task->factors);
        return -1;
    }
    for (size_t i = 0; i < rows; i++) {
        if (!(task->row_weights[i] >= 0.0 && isfinite(task->row_weights[i]))) {
            PyErr_Format(PyExc_ValueError, "row_weights: expected finite numbers of at least 0, but row %zu has none",
                         i);
            return -1;
        }
    }
    return 0;
}

static int
check_parameters(const Task *task, Py_ssize_t iterations)
{
    if (!(isfinite(task->lower) && isfinite(task->upper) && task->lower <= task->upper && isfinite(task->first))) {
        PyErr_SetString(PyExc_ValueError, "lower, upper, first: expected finite numbers, lower at most upper");
        return -1;
    }
    if (!(task->pull > 0.0 && isfinite(task->pull) && task->tolerance >= 0.0) || iterations < 0) {
        PyErr_SetString(PyExc_ValueError,
                        "pull, tolerance, iterations: expected a pull above 0 and the others at least 0");
        return -1;
    }
    return 0;
}

static int
open_given(PyObject **array, Py_ssize_t iterations, Task *task, Given *given)
{
    if (open_doubles(array[0], "log_prior", 2, 0, &given->log_prior) < 0 ||
        open_doubles(array[1], "log_factors", 3, 0, &given->log_factors) < 0 ||
        open_integers(array[2], "classes", &given->classes) < 0 ||
        open_doubles(array[3], "row_weights", 1, 0, &given->row_weights) < 0 ||
        open_doubles(array[5], "points", 2, 1, &given->points) < 0) {
        return -1;
    }
    size_t rows = (size_t)given->log_factors.buffer.shape[0];
    task->class_count = (size_t)given->log_factors.buffer.shape[1];
    task->factors = (size_t)given->log_factors.buffer.shape[2];
    task->groups = (size_t)given->points.buffer.shape[0];
    task->log_prior = given->log_prior.data;
    task->log_factors = given->log_factors.data;
    task->row_weights = given->row_weights.data;
    task->points = given->points.data;
    task->iterations = (size_t)iterations;
    if (open_finished(array[6], task->groups, given) < 0 || check_shapes(task, rows, given) < 0 ||
        check_parameters(task, iterations) < 0) {
        return -1;
    }
    task->finished = given->finished.buf;
    given->start = read_offset(array[4], task->groups, rows);
    given->codes = PyMem_Malloc((rows + 1) * sizeof *given->codes);
    if (given->start == NULL || given->codes == NULL) {
        return given->start == NULL ? -1 : (PyErr_NoMemory(), -1);
    }
    uint32_t limit = task->class_count < UINT32_MAX ? (uint32_t)task->class_count : UINT32_MAX;
    size_t good = load_codes(&given->classes, 0, rows, limit, given->codes);
    if (good < rows) {
        raise_fault((Fault){BAD_CLASS, 0, good});
        return -1;
    }
    task->start = given->start;
    task->classes = given->codes;
    return 0;
}

/* conditional_likelihood_ascent(log_prior, log_factors, classes, row_weights, start, points, finished, lower, upper,
 * first, pull, tolerance, iterations): fills the points and whether each group is finished. */
PyObject *
kernel_conditional_likelihood_ascent(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *array[7], *result = NULL;
    Task task = {0};
    Py_ssize_t iterations;
    if (!PyArg_ParseTuple(arguments, "OOOOOOOdddddn:conditional_likelihood_ascent", &array[0], &array[1], &array[2],
                          &array[3], &array[4], &array[5], &array[6], &task.lower, &task.upper, &task.first,
                          &task.pull, &task.tolerance, &iterations)) {
        return NULL;
    }
    Given given = {.finished_open = 0};
    Fault fault;
    if (open_given(array, iterations, &task, &given) < 0) {
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    fault = solve_groups(&task);
    Py_END_ALLOW_THREADS
    if (fault.kind != FINE) {
        raise_fault(fault);
        goto done;
    }
    result = Py_NewRef(Py_None);
done:
    PyMem_Free(given.codes);
    PyMem_Free(given.start);
    if (given.finished_open) {
        PyBuffer_Release(&given.finished);
    }
    close_doubles(&given.points);
    close_doubles(&given.row_weights);
    close_integers(&given.classes);
    close_doubles(&given.log_factors);
    close_doubles(&given.log_prior);
    return result;
}
