/* What kappa_sums and power_sums are given besides the measures: exponents, weights and classes. */

#include "kappa.h"

#include <float.h>
#include <math.h>

#define TINY 1e-150 /* what adds nothing to a sum of at least 1 */

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

int
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

/* Read the gaps between nodes, which ascend from 0 and stay below `limit`. */
static int
read_gaps(const Integers *array, size_t limit, Interpolation *nodes)
{
    size_t before = 0;
    for (size_t j = 0; j < nodes->count; j++) {
        size_t node;
        if (load_rows(array, j, 1, limit, &node) < 1 || (j == 0 ? node != 0 : node <= before) ||
            node - before > MOST_GAP) {
            PyErr_Format(PyExc_ValueError,
                         "nodes: expected exponents that ascend from 0 by at most %d and lie below %zu, but number %zu "
                         "does not",
                         MOST_GAP, limit, j);
            return -1;
        }
        nodes->gap[j] = (uint8_t)(node - before);
        nodes->widest = nodes->gap[j] > nodes->widest ? nodes->gap[j] : nodes->widest;
        before = node;
    }
    return 0;
}

int
open_interpolation(PyObject *array, PyObject *coefficients, double error, Task *task, Given *given)
{
    Interpolation *nodes = &task->nodes;
    if (array == Py_None) {
        return 0;
    }
    if (open_integers(array, "nodes", &given->nodes) < 0 ||
        open_doubles(coefficients, "coefficients", 2, 0, &given->coefficients) < 0) {
        return -1;
    }
    nodes->count = given->nodes.length;
    if (task->step == 0.0 || task->weights != NULL) {
        PyErr_SetString(PyExc_ValueError, "nodes: expected evenly spaced ascending exponents and no weights");
        return -1;
    }
    if ((size_t)given->coefficients.buffer.shape[0] != nodes->count ||
        (size_t)given->coefficients.buffer.shape[1] != task->exponent_count) {
        PyErr_Format(PyExc_ValueError, "coefficients: expected (%zu, %zu), for each node and exponent", nodes->count,
                     task->exponent_count);
        return -1;
    }
    nodes->padded = (nodes->count + NODES - 1) / NODES * NODES;
    given->gap = nodes->gap = PyMem_Calloc(nodes->padded + 1, sizeof *nodes->gap);
    if (given->gap == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    nodes->coefficients = given->coefficients.data;
    nodes->error = error;
    return read_gaps(&given->nodes, task->exponent_count, nodes);
}

void
close_given(Given *given)
{
    PyMem_Free(given->class_start);
    PyMem_Free(given->gap);
    close_integers(&given->nodes);
    close_doubles(&given->coefficients);
    close_integers(&given->left_out);
    close_doubles(&given->out);
    close_doubles(&given->weights);
    close_doubles(&given->exponents);
}
