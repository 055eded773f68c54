/* The stop rules: whether a cut gains enough (Fayyad & Irani 1993), or shortens the description (Kononenko 1995). */

#include "cuts.h"

#include <math.h>

#define LARGEST_POWER 600

double
entropy_of(const double *counts, size_t count, double weight)
{
    double sum = 0.0;
    if (!(weight > 0)) {
        return 0.0;
    }
    for (size_t p = 0; p < count; p++) {
        sum += x_log_x(counts[p]);
    }
    return (weight * log(weight) - sum) / (weight * LN2);
}

static int
gain_pays(const Column *column, double weight, double before, const Cut *cut, const double *right, double candidates)
{
    size_t present = column->present;
    double part = 0.0;
    const double *sides[2] = {cut->left, right};
    for (int side = 0; side < 2; side++) {
        size_t classes = 0;
        for (size_t p = 0; p < present; p++) {
            classes += sides[side][p] != 0;
        }
        part += (double)classes * entropy_of(sides[side], present, sum_of(sides[side], present));
    }
    double k = (double)present;
    double answers = present < LARGEST_POWER ? log2(pow(3.0, k) - 2) : k * log2(3.0);
    double delta = answers - (k * before - part);
    return before - cut->entropy > (log2(candidates) + delta) / weight;
}

/* Python's lgamma, which is not the C library's; NaN with an exception where it fails. */
static double
lgamma_of(const Column *column, double x)
{
    if (PyErr_Occurred()) {
        return NAN;
    }
    PyObject *result = PyObject_CallFunction(column->lgamma, "d", x);
    if (result == NULL) {
        return NAN;
    }
    double value = PyFloat_AsDouble(result);
    Py_DECREF(result);
    return value;
}

static double
description_length(const Column *column, const double *counts)
{
    double weight = sum_of(counts, column->present), classes = (double)column->present, each = 0.0;
    double distribution = lgamma_of(column, weight + classes) - lgamma_of(column, classes) -
                          lgamma_of(column, weight + 1);
    for (size_t p = 0; p < column->present; p++) {
        each += lgamma_of(column, counts[p] + 1);
    }
    double labels = lgamma_of(column, weight + 1) - each;
    return (distribution + labels) / LN2;
}

static int
description_is_shorter(const Column *column, const Cut *cut, const double *right, double candidates)
{
    double sides = description_length(column, cut->left);
    sides += description_length(column, right);
    return description_length(column, column->total) > log2(candidates) + sides;
}

int
is_accepted(const Column *column, double weight, double before, const Cut *cut)
{
    double *right = column->right, candidates = column->count_boundaries ? (double)cut->boundaries : weight - 1;
    for (size_t p = 0; p < column->present; p++) {
        right[p] = column->total[p] - cut->left[p];
    }
    int accepted = column->kononenko ? description_is_shorter(column, cut, right, candidates)
                                     : gain_pays(column, weight, before, cut, right, candidates);
    return PyErr_Occurred() ? -1 : accepted;
}
