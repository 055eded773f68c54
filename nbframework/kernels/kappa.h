/* The sums of powers of a query's rows, class by class, for the kernels that differ in how far rows are.
 *
 * Within a class everything is relative to its nearest row: each row has a ratio of at least 1, and 1 over its power is
 * added up, so that the sum is at least the nearest row's weight however large kappa is.
 */
#ifndef NBFRAMEWORK_KAPPA_H
#define NBFRAMEWORK_KAPPA_H

#include "distances.h"
#include "kernels.h"
#include "power_nodes.h"

typedef struct {
    size_t queries;
    size_t rows;
    size_t class_count;
    const size_t *class_start;
    const double *exponents;
    size_t exponent_count;
    double step; /* between the exponents, 0 where they are not evenly spaced */
    Interpolation nodes; /* from which to interpolate large classes, where there are any */
    const double *weights;
    double tiny; /* what adds nothing to the sum of a class, whose nearest row has at least the smallest weight */
    const Integers *left_out;
    double *out;
} Task;

/* What both kernels are given besides the measures. */
typedef struct {
    Doubles exponents;
    Doubles weights;
    Integers left_out;
    Integers nodes;
    Doubles coefficients;
    Doubles out;
    size_t *class_start;
    uint8_t *gap;
} Given;

/* kappa_given.c: open it for the queries and rows of the task; -1 with an exception. */
int open_given(PyObject *class_start, PyObject *exponents, PyObject *weights, PyObject *left_out, PyObject *out,
               Task *task, Given *given);
int open_interpolation(PyObject *nodes, PyObject *coefficients, double error, Task *task, Given *given);
void close_given(Given *given);

/* kappa_squares.c: the squared distances of a loaded query to a slice; their sums may round as they like. */
void square_slice(const Search *search, size_t query, size_t offset, double *to);

/* kappa_query.c: buffers of the sums, and a line of so many measures; NULL where memory ran out. */
typedef struct buffers Buffers;
Buffers *open_buffers(const Task *task, size_t length, double **line);
void close_buffers(Buffers *buffers);

/* Write the sums of a query from its measures, squared distances or logarithms of ratios; those of rows that do not
 * speak become infinite. */
Fault sum_query(const Task *task, size_t query, double *measure, int squares, Buffers *buffers);

#endif
