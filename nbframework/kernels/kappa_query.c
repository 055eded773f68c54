/* The sums of one query, compiled for several kinds of processors.
 *
 * The sums of evenly spaced kappas are in power_grid.h, and in power_nodes.h those of a few of them from which the
 * others are interpolated.
 */

#include "fused.h"
#include "kappa.h"
#include "kappa_functions.h"
#include "power_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FEWEST_ROWS 512 /* of a class that is interpolated */

struct buffers {
    _Alignas(LINE) double ratio[CHUNK];
    _Alignas(LINE) double log_ratio[CHUNK];
    _Alignas(LINE) double power[CHUNK];
    _Alignas(LINE) double factor[CHUNK];
    _Alignas(LINE) double weight[CHUNK];
    PowerGrid grid;
    NodeLines lines;
    double *sums; /* (exponents or nodes, SUM_LANES) parts of the sum of each exponent */
    double *total; /* (2, exponents) for the sums and their sizes or logarithms */
    void *memory;
};

/* 1 over powers of the ratios in the buffers, whose logarithms are there if one of the exponents is not whole. */
INLINE void
take_powers(const Buffers *buffers, double exponent, double *to)
{
    if (is_small_whole(exponent)) {
        take_whole_powers(buffers->ratio, (unsigned)exponent, to);
        return;
    }
    exponentials(buffers->log_ratio, -exponent, CHUNK, to);
}

/* Add a chunk of powers to their sum. */
INLINE void
add_powers(const double *power, double *sum)
{
    Lanes *sums = (Lanes *)sum;
    const Lanes *p = (const Lanes *)power;
    Lanes one = p[0], other = p[1];
    for (size_t i = 2; i < CHUNK / WIDTH; i += 2) {
        one += p[i];
        other += p[i + 1];
    }
    *sums += one + other;
}

/* Add a chunk of rows of one class to the sums of all exponents or of the nodes. */
INLINE void
add_chunk(const Task *task, int few, int wide, Buffers *buffers)
{
    const double *exponents = task->exponents, *factor = buffers->factor;
    size_t separate = task->step > 0.0 ? 1 : task->exponent_count;
    for (size_t e = 0; e < separate; e++) {
        take_powers(buffers, exponents[e], buffers->power);
        if (task->step > 0.0 && task->step != exponents[0]) {
            take_powers(buffers, task->step, buffers->factor);
        } else if (task->weights == NULL) {
            factor = buffers->power;
        } else if (task->step > 0.0) {
            memcpy(buffers->factor, buffers->power, sizeof buffers->factor);
        }
        if (task->weights != NULL) {
            multiply(buffers->power, buffers->weight);
        }
        if (few) {
            add_power_nodes(&buffers->lines, &task->nodes, buffers->power, factor, task->tiny, wide, buffers->sums);
        } else if (task->step > 0.0) {
            add_power_grid(&buffers->grid, buffers->power, factor, task->tiny, task->exponent_count, wide,
                           buffers->sums);
        } else {
            add_powers(buffers->power, buffers->sums + e * SUM_LANES);
        }
    }
}

/* The ratios (1 + distance) / (1 + nearest) of squared distances. */
INLINE void
ratios_of_squares(const double *restrict square, size_t rows, double nearest, double *restrict ratio)
{
    double scale = 1.0 / (1.0 + sqrt(nearest));
    for (size_t i = 0; i < rows; i++) {
        ratio[i] = (1.0 + sqrt(square[i])) * scale;
    }
}

/* The same of logarithms of ratios. */
INLINE void
ratios_of_logs(const double *log_ratio, double *ratio)
{
    exponentials(log_ratio, -1.0, CHUNK, ratio);
    for (size_t i = 0; i < CHUNK; i++) {
        ratio[i] = log_ratio[i] < INFINITY ? 1.0 / ratio[i] : INFINITY;
    }
}

/* Fill the ratios, their logarithms and the weights of up to CHUNK rows; what is left over does not speak. */
INLINE void
load_chunk(const Task *task, const double *measure, size_t first, size_t rows, double nearest, int squares,
           int needs_logs, Buffers *buffers)
{
    for (size_t i = rows; i < CHUNK; i++) {
        buffers->ratio[i] = buffers->log_ratio[i] = INFINITY;
    }
    if (squares) {
        ratios_of_squares(measure, rows, nearest, buffers->ratio);
        if (needs_logs) {
            logarithms(buffers->ratio, CHUNK, buffers->log_ratio);
        }
        for (size_t i = 0; needs_logs && i < CHUNK; i++) {
            buffers->log_ratio[i] = buffers->ratio[i] < INFINITY ? buffers->log_ratio[i] : INFINITY;
        }
    } else {
        for (size_t i = 0; i < rows; i++) {
            buffers->log_ratio[i] = measure[i] - nearest;
        }
        ratios_of_logs(buffers->log_ratio, buffers->ratio);
    }
    if (task->weights != NULL) {
        memset(buffers->weight, 0, sizeof buffers->weight);
        memcpy(buffers->weight, task->weights + first, rows * sizeof *buffers->weight);
    }
}

INLINE double
total_of(const double *part)
{
    double total = 0.0;
    for (size_t i = 0; i < SUM_LANES; i++) {
        total += part[i];
    }
    return total;
}

/* Add up the rows of a class, in parts for each exponent or node. */
INLINE void
add_class(const Task *task, size_t c, const double *measure, double nearest, int squares, int needs_logs, int few,
          int wide, Buffers *buffers)
{
    size_t end = task->class_start[c + 1], sums = few ? task->nodes.padded : task->exponent_count + DOWN;
    memset(buffers->sums, 0, sums * SUM_LANES * sizeof *buffers->sums);
    for (size_t first = task->class_start[c]; first < end; first += CHUNK) {
        size_t rows = end - first < CHUNK ? end - first : CHUNK;
        load_chunk(task, measure + first, first, rows, nearest, squares, needs_logs, buffers);
        add_chunk(task, few, wide, buffers);
    }
    for (size_t e = 0; e < (few ? task->nodes.count : task->exponent_count); e++) {
        buffers->sums[e] = total_of(buffers->sums + e * SUM_LANES);
    }
}

/* Write the sums of one class of a query. */
INLINE void
sum_class(const Task *task, size_t query, size_t c, const double *measure, int squares, int needs_logs, int wide,
          Buffers *buffers)
{
    size_t start = task->class_start[c], rows = task->class_start[c + 1] - start, exponents = task->exponent_count;
    double *out = task->out + query * task->class_count + c, nearest = smallest_of(measure + start, rows);
    double log_nearest = squares ? log1p(sqrt(nearest)) : nearest, *total = buffers->total;
    int few = task->nodes.count > 0 && rows >= FEWEST_ROWS && nearest < INFINITY;
    if (few) {
        add_class(task, c, measure, nearest, squares, needs_logs, 1, wide, buffers);
        few = interpolate(&task->nodes, buffers->sums, rows, exponents, total, total + exponents);
    }
    if (!few && nearest < INFINITY) {
        add_class(task, c, measure, nearest, squares, needs_logs, 0, wide, buffers);
        memcpy(total, buffers->sums, exponents * sizeof *total);
    }
    logarithms(total, nearest < INFINITY ? exponents : 0, total + exponents);
    for (size_t e = 0; e < exponents; e++) {
        out[e * task->queries * task->class_count] =
            nearest < INFINITY ? total[exponents + e] - task->exponents[e] * log_nearest : -INFINITY;
    }
}

#define SUM_CLASSES(NAME, ATTRIBUTE, WIDELY)                                                                          \
    ATTRIBUTE static void NAME(const Task *task, size_t query, const double *measure, int squares, int needs_logs,    \
                               Buffers *buffers)                                                                      \
    {                                                                                                                 \
        for (size_t c = 0; c < task->class_count; c++) {                                                              \
            sum_class(task, query, c, measure, squares, needs_logs, WIDELY, buffers);                                 \
        }                                                                                                             \
    }

SUM_CLASSES(sum_classes_widely, WIDE, 1)
SUM_CLASSES(sum_classes_fused, FUSED, 0)
SUM_CLASSES(sum_classes, , 0)

Fault
sum_query(const Task *task, size_t query, double *measure, int squares, Buffers *buffers)
{
    size_t left_out = SIZE_MAX;
    if (task->left_out != NULL && load_optional_rows(task->left_out, query, 1, task->rows, &left_out) < 1) {
        return (Fault){BAD_LEFT_OUT, 0, query};
    }
    if (left_out < task->rows) {
        measure[left_out] = INFINITY;
    }
    for (size_t i = 0; task->weights != NULL && i < task->rows; i++) {
        measure[i] = task->weights[i] > 0.0 ? measure[i] : INFINITY;
    }
    int needs_logs = task->step > 0.0 && !is_small_whole(task->step);
    for (size_t e = 0; e < task->exponent_count; e++) {
        needs_logs |= !is_small_whole(task->exponents[e]);
    }
    (HAS_WIDE ? sum_classes_widely : FUSES ? sum_classes_fused : sum_classes)(task, query, measure, squares, needs_logs,
                                                                              buffers);
    return (Fault){FINE, 0, 0};
}

Buffers *
open_buffers(const Task *task, size_t length, double **line)
{
    size_t exponents = task->exponent_count, sums = (exponents + DOWN + NODES) * SUM_LANES;
    void *memory = malloc(LINE + sizeof(Buffers) + (sums + length + 2 * exponents) * sizeof **line);
    if (memory == NULL) {
        return NULL;
    }
    Buffers *buffers = ALIGNED(memory);
    buffers->memory = memory;
    buffers->sums = (double *)(buffers + 1);
    *line = buffers->sums + sums;
    buffers->total = *line + length;
    open_node_lines(&buffers->lines);
    return buffers;
}

void
close_buffers(Buffers *buffers)
{
    free(buffers != NULL ? buffers->memory : NULL);
}
