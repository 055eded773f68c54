/* class_totals, threshold_totals and class_moments: weighted sums over the rows of each class, column by column.
 *
 * A few columns are taken together, one in each lane of a vector; the classes of the rows are loaded and checked first.
 * The sums of a class run over its rows in their order, products are rounded before they are added.
 */

#include "kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TOGETHER 4 /* columns */

typedef struct {
    Matrix values;
    uint32_t *classes; /* of each row */
    size_t class_count;
    const double *weights;
    double threshold;
    double *out; /* (quantities, classes, columns) */
} Totals;

/* The accumulators of one class, for the columns that are taken together. */
typedef struct {
    double lane[TOGETHER];
} Cell;

/* Columns side by side, the last one again where there are fewer, and the row to start at. */
typedef struct {
    const double *column[TOGETHER];
    ptrdiff_t stride;
    size_t rows;
    const uint32_t *classes;
    const double *weights;
} Strip;

/* What the rows are gone through for.
 *
 * SUMS: first is the weight of those that know a column, second the weighted sum. SIDES: first is the weight above the
 * threshold, second that of what is known and not above. LEAST: first is the weight, second the least value. MEANS:
 * first is the weighted sum of what exceeds the least value. SPREADS: first is the weighted sum of the squared
 * deviations of that from its mean.
 */
typedef enum { SUMS, SIDES, LEAST, MEANS, SPREADS } Pass;

/* Go through the rows once. */
INLINE void
pass_rows(Pass pass, const Strip *strip, double threshold, const Cell *restrict least, const Cell *restrict mean,
          Cell *restrict first, Cell *restrict second)
{
    for (size_t i = 0; i < strip->rows; i++) {
        const uint32_t class = strip->classes[i];
        const double weight = strip->weights[i];
        double x[TOGETHER], one[TOGETHER], other[TOGETHER];
        for (size_t k = 0; k < TOGETHER; k++) {
            x[k] = strip->column[k][(ptrdiff_t)i * strip->stride];
        }
        for (size_t k = 0; k < TOGETHER; k++) {
            const double known = x[k] == x[k] ? weight : 0.0;
            if (pass == SUMS) {
                one[k] = known;
                other[k] = x[k] == x[k] ? weight * x[k] : 0.0;
            } else if (pass == SIDES) {
                one[k] = x[k] > threshold ? weight : 0.0;
                other[k] = x[k] <= threshold ? weight : 0.0;
            } else if (pass == LEAST) {
                one[k] = known;
            } else if (pass == MEANS) {
                one[k] = x[k] == x[k] ? weight * (x[k] - least[class].lane[k]) : 0.0;
            } else {
                const double distance = x[k] - least[class].lane[k] - mean[class].lane[k];
                one[k] = x[k] == x[k] ? weight * (distance * distance) : 0.0;
            }
        }
        for (size_t k = 0; k < TOGETHER; k++) {
            first[class].lane[k] += one[k];
        }
        for (size_t k = 0; k < TOGETHER && (pass == SUMS || pass == SIDES); k++) {
            second[class].lane[k] += other[k];
        }
        for (size_t k = 0; k < TOGETHER && pass == LEAST; k++) {
            const double low = second[class].lane[k];
            second[class].lane[k] = x[k] < low ? x[k] : low;
        }
    }
}

#define PASS(NAME, PASS)                                                                                              \
    DISPATCHED static void NAME(const Strip *strip, double threshold, const Cell *restrict least,                     \
                                const Cell *restrict mean, Cell *restrict first, Cell *restrict second)               \
    {                                                                                                                 \
        pass_rows(PASS, strip, threshold, least, mean, first, second);                                                \
    }

PASS(add_sums, SUMS)
PASS(add_sides, SIDES)
PASS(find_least, LEAST)
PASS(add_excess, MEANS)
PASS(add_squares, SPREADS)

/* Write the accumulators of some columns to the quantity that they are. */
static void
write_cells(const Totals *totals, size_t quantity, const Cell *cells, size_t column, size_t columns)
{
    const size_t width = totals->values.columns;
    for (size_t c = 0; c < totals->class_count; c++) {
        double *out = totals->out + (quantity * totals->class_count + c) * width + column;
        memcpy(out, cells[c].lane, columns * sizeof *out);
    }
}

/* Fill the moments of some columns; `cells` has room for four of each class. */
static void
fill_moments(const Totals *totals, const Strip *strip, size_t column, size_t columns, Cell *cells)
{
    const size_t count = totals->class_count;
    Cell *least = cells, *weight = cells + count, *mean = cells + 2 * count, *spread = cells + 3 * count;
    memset(weight, 0, 3 * count * sizeof *cells);
    for (size_t c = 0; c < count; c++) {
        for (size_t k = 0; k < TOGETHER; k++) {
            least[c].lane[k] = INFINITY;
        }
    }
    find_least(strip, 0.0, NULL, NULL, weight, least);
    add_excess(strip, 0.0, least, NULL, mean, NULL);
    for (size_t c = 0; c < count; c++) {
        for (size_t k = 0; k < TOGETHER; k++) {
            const double total = weight[c].lane[k];
            mean[c].lane[k] = total > 0.0 ? mean[c].lane[k] / total : 0.0;
        }
    }
    add_squares(strip, 0.0, least, mean, spread, NULL);
    write_cells(totals, 0, least, column, columns);
    write_cells(totals, 1, weight, column, columns);
    write_cells(totals, 2, mean, column, columns);
    write_cells(totals, 3, spread, column, columns);
}

/* Fill two sums of some columns; `cells` has room for two of each class. */
static void
fill_sums(const Totals *totals, const Strip *strip, Pass pass, size_t column, size_t columns, Cell *cells)
{
    Cell *second = cells + totals->class_count;
    memset(cells, 0, 2 * totals->class_count * sizeof *cells);
    (pass == SUMS ? add_sums : add_sides)(strip, totals->threshold, NULL, NULL, cells, second);
    write_cells(totals, 0, cells, column, columns);
    write_cells(totals, 1, second, column, columns);
}

static Fault
fill_totals(Totals *totals, const Integers *classes, Pass pass)
{
    const Matrix *values = &totals->values;
    Fault fault = {NO_MEMORY, 0, 0};
    totals->classes = malloc((values->rows + 1) * sizeof *totals->classes);
    Cell *cells = malloc((totals->class_count + 1) * 4 * sizeof *cells);
    if (totals->classes == NULL || cells == NULL) {
        goto done;
    }
    const size_t good = load_codes(classes, 0, values->rows, limit_of(totals->class_count), totals->classes);
    if (good < values->rows) {
        fault = (Fault){BAD_CLASS, 0, good};
        goto done;
    }
    for (size_t column = 0; column < values->columns; column += TOGETHER) {
        const size_t left = values->columns - column, columns = left < TOGETHER ? left : TOGETHER;
        Strip strip = {.stride = values->row_stride, .rows = values->rows, .classes = totals->classes};
        strip.weights = totals->weights;
        for (size_t k = 0; k < TOGETHER; k++) {
            const size_t j = column + (k < columns ? k : columns - 1);
            strip.column[k] = values->data + (ptrdiff_t)j * values->column_stride;
        }
        if (pass == LEAST) {
            fill_moments(totals, &strip, column, columns, cells);
        } else {
            fill_sums(totals, &strip, pass, column, columns, cells);
        }
    }
    fault.kind = FINE;
done:
    free(cells);
    free(totals->classes);
    return fault;
}

/* Open the arguments that all share, and fill so many quantities. */
static PyObject *
fill(Totals *totals, PyObject *values, PyObject *classes, PyObject *weights, PyObject *out, Pass pass)
{
    const size_t quantities = pass == LEAST ? 4 : 2;
    PyObject *result = NULL;
    Integers codes = {.open = 0};
    Doubles weight = {.open = 0}, filled = {.open = 0};
    if (open_matrix(values, "values", &totals->values) < 0 || open_integers(classes, "classes", &codes) < 0 ||
        open_doubles(weights, "weights", 1, 0, &weight) < 0 || open_doubles(out, "out", 3, 1, &filled) < 0) {
        goto done;
    }
    const Matrix *given = &totals->values;
    if (codes.length != given->rows || weight.length != given->rows) {
        PyErr_Format(PyExc_ValueError, "classes, weights: expected %zu each, for the rows, found %zu and %zu",
                     given->rows, codes.length, weight.length);
        goto done;
    }
    const Py_ssize_t *shape = filled.buffer.shape;
    if ((size_t)shape[0] != quantities || (size_t)shape[2] != given->columns) {
        PyErr_Format(PyExc_ValueError, "out: expected (%zu, classes, %zu) numbers, found (%zd, %zd, %zd)", quantities,
                     given->columns, shape[0], shape[1], shape[2]);
        goto done;
    }
    totals->class_count = (size_t)shape[1];
    totals->weights = weight.data;
    totals->out = filled.data;
    Fault fault;
    Py_BEGIN_ALLOW_THREADS
    fault = fill_totals(totals, &codes, pass);
    Py_END_ALLOW_THREADS
    result = none_or_raise(fault);
done:
    close_doubles(&filled);
    close_doubles(&weight);
    close_integers(&codes);
    close_matrix(&totals->values);
    return result;
}

/* class_totals(values, classes, weights, totals): fill weights and amounts. */
PyObject *
kernel_class_totals(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *values, *classes, *weights, *out;
    Totals totals = {.threshold = 0.0};
    if (!PyArg_ParseTuple(arguments, "OOOO:class_totals", &values, &classes, &weights, &out)) {
        return NULL;
    }
    return fill(&totals, values, classes, weights, out, SUMS);
}

/* threshold_totals(values, threshold, classes, weights, totals): fill the weights above and not above. */
PyObject *
kernel_threshold_totals(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *values, *classes, *weights, *out;
    Totals totals = {.threshold = 0.0};
    if (!PyArg_ParseTuple(arguments, "OdOOO:threshold_totals", &values, &totals.threshold, &classes, &weights, &out)) {
        return NULL;
    }
    return fill(&totals, values, classes, weights, out, SIDES);
}

/* class_moments(values, classes, weights, moments): fill lowest values, weights, means and spreads. */
PyObject *
kernel_class_moments(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *values, *classes, *weights, *out;
    Totals totals = {.threshold = 0.0};
    if (!PyArg_ParseTuple(arguments, "OOOO:class_moments", &values, &classes, &weights, &out)) {
        return NULL;
    }
    return fill(&totals, values, classes, weights, out, LEAST);
}
