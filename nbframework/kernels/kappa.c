/* kappa_sums and power_sums: for each class, the log of the sum of w b^-kappa over its rows, for many kappas at once.
 *
 * Within a class everything is relative to its nearest row: each row has a ratio of at least 1, and 1 over its power is
 * added up, so that the sum is at least the nearest row's weight however large kappa is. Small whole powers come from
 * repeated multiplication, others from logarithm and exponential. The sums of evenly spaced kappas are in power_grid.h.
 */

#include "distances.h"
#include "fused.h"
#include "power_grid.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_TILE 16
#define TILE_BYTES ((size_t)1 << 20)
#define LARGEST_WHOLE 4096.0
#define TINY 1e-150 /* what adds nothing to a sum of at least 1 */
#define MINIMA 64

typedef struct {
    size_t queries;
    size_t rows;
    size_t class_count;
    const size_t *class_start;
    const double *exponents;
    size_t exponent_count;
    double step; /* between the exponents, 0 where they are not evenly spaced */
    const double *weights;
    double tiny; /* what adds nothing to the sum of a class, whose nearest row has at least the smallest weight */
    const Integers *left_out;
    double *out;
} Task;

typedef struct {
    _Alignas(LINE) double ratio[CHUNK];
    _Alignas(LINE) double log_ratio[CHUNK];
    _Alignas(LINE) double power[CHUNK];
    _Alignas(LINE) double factor[CHUNK];
    _Alignas(LINE) double weight[CHUNK];
    PowerGrid grid;
    double *sums; /* (exponents, SUM_LANES) parts of the sum of each exponent */
    void *memory;
    double *line; /* the measures of a tile of queries */
} Buffers;

/* --- functions of many numbers ---------------------------------------------------------------------------------- */

/* Natural logarithms of positive normal numbers, to about 2 units in the last place. */
INLINE void
take_logs(const double *restrict from, double *restrict to)
{
    const uint64_t root_half = 0x3fe6a09e667f3bcdu, one = 0x3ff0000000000000u, mantissa = 0x000fffffffffffffu;
    for (size_t i = 0; i < CHUNK; i++) {
        uint64_t bits = bits_of(from[i]) + (one - root_half);
        double exponent = from_bits(bits >> 52 | 0x4330000000000000u) - (0x1p52 + 1023.0);
        double m = from_bits((bits & mantissa) + root_half);
        double s = (m - 1.0) / (m + 1.0), z = s * s, series = 1.0 / 21;
        series = series * z + 1.0 / 19;
        series = series * z + 1.0 / 17;
        series = series * z + 1.0 / 15;
        series = series * z + 1.0 / 13;
        series = series * z + 1.0 / 11;
        series = series * z + 1.0 / 9;
        series = series * z + 1.0 / 7;
        series = series * z + 1.0 / 5;
        series = series * z + 1.0 / 3;
        to[i] = exponent * 0x1.62e42fefa39efp-1 + (2.0 * s + 2.0 * s * z * series);
    }
}

/* 1 over whole powers of numbers of at least 1 by repeated squaring; of infinite ones 0, whatever the power: such a row
 * does not speak. Nothing becomes denormal on the way. */
INLINE void
take_whole_powers(const double *from, unsigned exponent, double *to)
{
    const Lanes *base = (const Lanes *)from;
    Lanes *power = (Lanes *)to;
    for (size_t i = 0; exponent == 0 && i < CHUNK; i++) {
        to[i] = from[i] < INFINITY ? 1.0 : 0.0;
    }
    for (size_t i = 0; exponent > 0 && i < CHUNK / WIDTH; i += 4) {
        Lanes b0 = base[i], b1 = base[i + 1], b2 = base[i + 2], b3 = base[i + 3];
        Lanes one = {0}, p0 = one + 1.0, p1 = p0, p2 = p0, p3 = p0;
        for (unsigned left = exponent;;) {
            if (left & 1) {
                p0 *= b0, p1 *= b1, p2 *= b2, p3 *= b3;
            }
            left >>= 1;
            if (left == 0) {
                break;
            }
            b0 *= b0, b1 *= b1, b2 *= b2, b3 *= b3;
        }
        power[i] = 1.0 / p0, power[i + 1] = 1.0 / p1, power[i + 2] = 1.0 / p2, power[i + 3] = 1.0 / p3;
    }
}

INLINE int
is_small_whole(double exponent)
{
    return exponent <= LARGEST_WHOLE && exponent == floor(exponent);
}

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

INLINE void
multiply(double *restrict power, const double *restrict weight)
{
    for (size_t i = 0; i < CHUNK; i++) {
        power[i] *= weight[i];
    }
}

/* --- sums ------------------------------------------------------------------------------------------------------- */

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

/* Add a chunk of rows of one class to the sums of all exponents. */
INLINE void
add_chunk(const Task *task, int wide, Buffers *buffers)
{
    const double *exponents = task->exponents, *factor = buffers->factor;
    size_t separate = task->step > 0.0 ? 1 : task->exponent_count;
    for (size_t e = 0; e < separate; e++) {
        take_powers(buffers, exponents[e], buffers->power);
        if (task->step > 0.0 && task->step != exponents[0]) {
            take_powers(buffers, task->step, buffers->factor);
        } else if (task->step > 0.0) {
            memcpy(buffers->factor, buffers->power, sizeof buffers->factor);
        }
        if (task->weights != NULL) {
            multiply(buffers->power, buffers->weight);
        }
        if (task->step > 0.0) {
            add_power_grid(&buffers->grid, buffers->power, factor, task->tiny, task->exponent_count, wide,
                           buffers->sums);
        } else {
            add_powers(buffers->power, buffers->sums + e * SUM_LANES);
        }
    }
}

INLINE void
lower_minima(const double *restrict measure, double *restrict least)
{
    for (size_t i = 0; i < MINIMA; i++) {
        least[i] = measure[i] < least[i] ? measure[i] : least[i];
    }
}

INLINE double
smallest_of(const double *measure, size_t count)
{
    double least[MINIMA], smallest = INFINITY;
    size_t i = 0;
    for (size_t k = 0; k < MINIMA; k++) {
        least[k] = INFINITY;
    }
    for (; i + MINIMA <= count; i += MINIMA) {
        lower_minima(measure + i, least);
    }
    for (; i < count; i++) {
        smallest = measure[i] < smallest ? measure[i] : smallest;
    }
    for (size_t k = 0; k < MINIMA; k++) {
        smallest = least[k] < smallest ? least[k] : smallest;
    }
    return smallest;
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
            take_logs(buffers->ratio, buffers->log_ratio);
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

/* Write the sums of one class of a query. */
INLINE void
sum_class(const Task *task, size_t query, size_t c, const double *measure, int squares, int needs_logs, int wide,
          Buffers *buffers)
{
    size_t start = task->class_start[c], end = task->class_start[c + 1];
    double *out = task->out + query * task->class_count + c, nearest = smallest_of(measure + start, end - start);
    double log_nearest = squares ? log1p(sqrt(nearest)) : nearest;
    memset(buffers->sums, 0, (task->exponent_count + DOWN) * SUM_LANES * sizeof *buffers->sums);
    for (size_t first = start; nearest < INFINITY && first < end; first += CHUNK) {
        size_t rows = end - first < CHUNK ? end - first : CHUNK;
        load_chunk(task, measure + first, first, rows, nearest, squares, needs_logs, buffers);
        add_chunk(task, wide, buffers);
    }
    for (size_t e = 0; e < task->exponent_count; e++) {
        double total = total_of(buffers->sums + e * SUM_LANES);
        out[e * task->queries * task->class_count] =
            nearest < INFINITY ? log(total) - task->exponents[e] * log_nearest : -INFINITY;
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

/* Write the sums of a query; its measures of rows that do not speak become infinite. */
static Fault
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

static int
open_buffers(const Task *task, size_t line, Buffers *buffers)
{
    size_t bytes = (task->exponent_count + DOWN) * SUM_LANES * sizeof *buffers->sums;
    buffers->memory = malloc(LINE + bytes + line * sizeof *buffers->line);
    buffers->sums = (double *)(((uintptr_t)buffers->memory + LINE - 1) / LINE * LINE);
    buffers->line = (double *)((char *)buffers->sums + bytes);
    return buffers->memory != NULL ? 0 : -1;
}

static void
close_buffers(Buffers *buffers)
{
    free(buffers->memory);
}

/* --- arguments -------------------------------------------------------------------------------------------------- */

/* Whether the exponents are numbers of at least 0, and how far evenly spaced ones are apart. */
static int
check_exponents(Task *task)
{
    const double *exponents = task->exponents;
    size_t count = task->exponent_count;
    for (size_t e = 0; e < count; e++) {
        if (!(exponents[e] >= 0.0 && isfinite(exponents[e]))) {
            PyErr_Format(PyExc_ValueError, "exponents: number %zu is not finite and at least 0", e);
            return -1;
        }
    }
    double step = count > 2 ? (exponents[count - 1] - exponents[0]) / (double)(count - 1) : 0.0;
    for (size_t e = 0; e < count; e++) {
        double even = exponents[0] + (double)e * step;
        if (fabs(exponents[e] - even) > 4.0 * DBL_EPSILON * exponents[count - 1]) {
            step = 0.0;
        }
    }
    task->step = step > 0.0 ? step : 0.0;
    return 0;
}

/* Check the weights of the rows, and find out what adds nothing to a sum. */
static int
check_weights(const Doubles *weight, size_t rows, double *tiny)
{
    double least = 1.0;
    if (weight->length != rows) {
        PyErr_Format(PyExc_ValueError, "weights: expected %zu, one for each row, found %zu", rows, weight->length);
        return -1;
    }
    for (size_t i = 0; i < rows; i++) {
        if (!(weight->data[i] >= 0.0 && isfinite(weight->data[i]))) {
            PyErr_Format(PyExc_ValueError, "weights: expected finite numbers of at least 0, but row %zu has none", i);
            return -1;
        }
        least = weight->data[i] > 0.0 && weight->data[i] < least ? weight->data[i] : least;
    }
    *tiny = TINY * least;
    return 0;
}

/* What both kernels are given besides the measures. */
typedef struct {
    Doubles exponents;
    Doubles weights;
    Integers left_out;
    Doubles out;
    size_t *class_start;
} Given;

static int
open_given(PyObject *class_start, PyObject *exponents, PyObject *weights, PyObject *left_out, PyObject *out,
           Task *task, Given *given)
{
    task->tiny = TINY;
    if (open_doubles(exponents, "exponents", 1, 0, &given->exponents) < 0 ||
        open_doubles(out, "out", 3, 1, &given->out) < 0 ||
        (weights != Py_None && (open_doubles(weights, "weights", 1, 0, &given->weights) < 0 ||
                                check_weights(&given->weights, task->rows, &task->tiny) < 0)) ||
        (left_out != Py_None && open_integers(left_out, "left_out", &given->left_out) < 0)) {
        return -1;
    }
    task->exponents = given->exponents.data;
    task->exponent_count = given->exponents.length;
    task->class_count = (size_t)given->out.buffer.shape[2];
    if ((size_t)given->out.buffer.shape[0] != task->exponent_count ||
        (size_t)given->out.buffer.shape[1] != task->queries) {
        PyErr_Format(PyExc_ValueError, "out: expected (%zu, %zu) sums for each class", task->exponent_count,
                     task->queries);
        return -1;
    }
    if (left_out != Py_None && given->left_out.length != task->queries) {
        PyErr_Format(PyExc_ValueError, "left_out: expected %zu, one for each query, found %zu", task->queries,
                     given->left_out.length);
        return -1;
    }
    given->class_start = read_offset(class_start, task->class_count, task->rows);
    if (given->class_start == NULL || check_exponents(task) < 0) {
        return -1;
    }
    task->class_start = given->class_start;
    task->weights = weights != Py_None ? given->weights.data : NULL;
    task->left_out = left_out != Py_None ? &given->left_out : NULL;
    task->out = given->out.data;
    return 0;
}

static void
close_given(Given *given)
{
    PyMem_Free(given->class_start);
    close_integers(&given->left_out);
    close_doubles(&given->out);
    close_doubles(&given->weights);
    close_doubles(&given->exponents);
}

/* --- kappa_sums ------------------------------------------------------------------------------------------------- */

/* The sums of squares of a slice where nothing is unknown. */
INLINE void
add_squares(const double *restrict column, size_t columns, const double *restrict value, double *restrict out)
{
    size_t j = 0;
    memset(out, 0, SLICE_ROWS * sizeof *out);
    for (; j + 8 <= columns; j += 8, column += 8 * SLICE_ROWS) {
        const double v0 = value[j], v1 = value[j + 1], v2 = value[j + 2], v3 = value[j + 3];
        const double v4 = value[j + 4], v5 = value[j + 5], v6 = value[j + 6], v7 = value[j + 7];
        for (size_t r = 0; r < SLICE_ROWS; r++) {
            double d0 = column[r] - v0, d1 = column[SLICE_ROWS + r] - v1;
            double d2 = column[2 * SLICE_ROWS + r] - v2, d3 = column[3 * SLICE_ROWS + r] - v3;
            double d4 = column[4 * SLICE_ROWS + r] - v4, d5 = column[5 * SLICE_ROWS + r] - v5;
            double d6 = column[6 * SLICE_ROWS + r] - v6, d7 = column[7 * SLICE_ROWS + r] - v7;
            out[r] = out[r] + d0 * d0 + d1 * d1 + d2 * d2 + d3 * d3 + d4 * d4 + d5 * d5 + d6 * d6 + d7 * d7;
        }
    }
    for (; j < columns; j++, column += SLICE_ROWS) {
        for (size_t r = 0; r < SLICE_ROWS; r++) {
            double difference = column[r] - value[j];
            out[r] += difference * difference;
        }
    }
}

FUSED static void
add_squares_fused(const double *column, size_t columns, const double *value, double *out)
{
    add_squares(column, columns, value, out);
}

static void
write_slice(const Search *search, size_t q, size_t offset, double *to)
{
    _Alignas(LINE) uint16_t count[SLICE_ROWS];
    if (search->all_codes) {
        count_slice(search, q, offset, count);
        for (size_t r = 0; r < SLICE_ROWS; r++) {
            to[r] = count[r];
        }
    } else if (FUSES && is_plain(search, q)) {
        add_squares_fused(search->numbers + offset * search->columns, search->columns,
                          search->value + q * search->columns, to);
    } else {
        measure_slice(search, q, offset, to);
    }
}

static Fault
sum_tiles(Search *search, const Task *task)
{
    size_t padded = (task->rows + SLICE_ROWS - 1) / SLICE_ROWS * SLICE_ROWS;
    size_t tile = TILE_BYTES / sizeof(double) / (padded + 1);
    Fault fault = start_search(search, tile < 1 ? 1 : tile < MOST_TILE ? tile : MOST_TILE);
    Buffers buffers;
    if (open_buffers(task, search->tile * padded, &buffers) < 0) {
        fault = (Fault){NO_MEMORY, 0, 0};
    }
    for (size_t first = 0; fault.kind == FINE && first < task->queries; first += search->tile) {
        size_t left = task->queries - first, count = left < search->tile ? left : search->tile;
        fault = load_queries(search, first, count);
        for (size_t row = 0; fault.kind == FINE && row < task->rows; row += search->block) {
            fault = load_training(search, row);
            for (size_t offset = 0; fault.kind == FINE && offset < search->loaded; offset += SLICE_ROWS) {
                for (size_t q = 0; q < count; q++) {
                    write_slice(search, q, offset, buffers.line + q * padded + row + offset);
                }
            }
        }
        for (size_t q = 0; fault.kind == FINE && q < count; q++) {
            fault = sum_query(task, first + q, buffers.line + q * padded, 1, &buffers);
        }
    }
    close_buffers(&buffers);
    return fault;
}

/* kappa_sums(queries, training, bounds, farthest, rescale, class_start, exponents, weights, left_out, out). */
PyObject *
kernel_kappa_sums(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *queries, *training, *bounds, *class_start, *exponents, *weights, *left_out, *out, *result = NULL;
    double farthest;
    int rescale;
    if (!PyArg_ParseTuple(arguments, "O!O!OdpOOOOO:kappa_sums", &PyTuple_Type, &queries, &PyTuple_Type, &training,
                          &bounds, &farthest, &rescale, &class_start, &exponents, &weights, &left_out, &out)) {
        return NULL;
    }
    Search search;
    Task task = {0};
    Given given = {.exponents = {.open = 0}};
    Fault fault;
    if (open_search(queries, training, bounds, farthest, rescale, &search) < 0) {
        goto done;
    }
    task.queries = search.queries;
    task.rows = search.rows;
    if (open_given(class_start, exponents, weights, left_out, out, &task, &given) < 0) {
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    fault = sum_tiles(&search, &task);
    Py_END_ALLOW_THREADS
    if (fault.kind != FINE) {
        raise_fault(fault);
        goto done;
    }
    result = Py_NewRef(Py_None);
done:
    close_given(&given);
    close_search(&search);
    return result;
}

/* --- power_sums ------------------------------------------------------------------------------------------------- */

static Fault
sum_logs(const Task *task, const double *logs)
{
    Buffers buffers;
    Fault fault = {FINE, 0, 0};
    if (open_buffers(task, task->rows, &buffers) < 0) {
        fault = (Fault){NO_MEMORY, 0, 0};
    }
    for (size_t q = 0; fault.kind == FINE && q < task->queries; q++) {
        memcpy(buffers.line, logs + q * task->rows, task->rows * sizeof *logs);
        fault = sum_query(task, q, buffers.line, 0, &buffers);
    }
    close_buffers(&buffers);
    return fault;
}

/* power_sums(logs, class_start, exponents, weights, left_out, out): fills the sums. */
PyObject *
kernel_power_sums(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *logs, *class_start, *exponents, *weights, *left_out, *out, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "OOOOOO:power_sums", &logs, &class_start, &exponents, &weights, &left_out, &out)) {
        return NULL;
    }
    Doubles table = {.open = 0};
    Task task = {0};
    Given given = {.exponents = {.open = 0}};
    Fault fault;
    if (open_doubles(logs, "logs", 2, 0, &table) < 0) {
        goto done;
    }
    task.queries = (size_t)table.buffer.shape[0];
    task.rows = (size_t)table.buffer.shape[1];
    if (open_given(class_start, exponents, weights, left_out, out, &task, &given) < 0) {
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    fault = sum_logs(&task, table.data);
    Py_END_ALLOW_THREADS
    if (fault.kind != FINE) {
        raise_fault(fault);
        goto done;
    }
    result = Py_NewRef(Py_None);
done:
    close_given(&given);
    close_doubles(&table);
    return result;
}
