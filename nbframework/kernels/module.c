/* nbframework.kernels._compiled: the kernels as Python functions. Their callers are in compiled.py. */

#include "kernels.h"

static PyMethodDef METHODS[] = {
    {"class_counts", kernel_class_counts, METH_VARARGS,
     "class_counts(columns, offset, classes, weights, rows, cells): add the counts to the cells."},
    {"pair_counts", kernel_pair_counts, METH_VARARGS,
     "pair_counts(columns, first, classes, weights, rows, table): fill a table of zeros."},
    {"log_scores", kernel_log_scores, METH_VARARGS,
     "log_scores(columns, offset, table, start, scores): fill the scores."},
    {"group_scores", kernel_group_scores, METH_VARARGS,
     "group_scores(columns, offset, group, table, start, scores): fill the scores."},
    {"squared_distances", kernel_squared_distances, METH_VARARGS,
     "squared_distances(queries, training, bounds, farthest, rescale, out): fill the distances."},
    {"nearest_rows", kernel_nearest_rows, METH_VARARGS,
     "nearest_rows(queries, training, bounds, farthest, rescale, k, tolerance, left_out): borders, rows, distances."},
    {"smallest", kernel_smallest, METH_VARARGS,
     "smallest(distance, k, tolerance, left_out): borders, columns and distances."},
    {"kappa_sums", kernel_kappa_sums, METH_VARARGS,
     "kappa_sums(queries, training, bounds, farthest, rescale, class_start, exponents, weights, left_out, out)."},
    {"power_sums", kernel_power_sums, METH_VARARGS,
     "power_sums(logs, class_start, exponents, weights, left_out, out): fill the sums."},
    {"conditional_likelihood_ascent", kernel_conditional_likelihood_ascent, METH_VARARGS,
     "conditional_likelihood_ascent(log_prior, log_factors, classes, row_weights, start, points, finished, lower, "
     "upper, first, pull, tolerance, iterations): fill the points and whether each group is finished."},
    {"entropy_cuts", kernel_entropy_cuts, METH_VARARGS,
     "entropy_cuts(values, classes, class_count, weights, kononenko, count_boundaries, lgamma): list of cuts."},
    {"node_cuts", kernel_node_cuts, METH_VARARGS,
     "node_cuts(node, values, classes, weights, amounts, class_count, total, minimum, share, most, closest, "
     "tolerance, found): fill six numbers for each node."},
    {"tree_sums", kernel_tree_sums, METH_VARARGS,
     "tree_sums(attribute, cut, first_child, branches, share, columns, slack, table, sums): fill the sums."},
    {"parent_sums", kernel_parent_sums, METH_VARARGS,
     "parent_sums(columns, offset, tables, start, log_weight, sums): fill the sums."},
    {"column_cuts", kernel_column_cuts, METH_VARARGS,
     "column_cuts(columns, orders, times, classes, class_count, kononenko, count_boundaries, lgamma): lists of cuts."},
    {"log_posteriors", kernel_log_posteriors, METH_VARARGS, "log_posteriors(scores, out, top): fill both."},
    {"best_classes", kernel_best_classes, METH_VARARGS,
     "best_classes(scores, order, tolerance, out): fill the codes, -1 where no class is best."},
    {"interval_codes", kernel_interval_codes, METH_VARARGS,
     "interval_codes(values, cuts, unknown, out): fill the codes."},
    {"gaussian_scores", kernel_gaussian_scores, METH_VARARGS,
     "gaussian_scores(values, mean, variance, scores): fill the scores."},
    {"count_scores", kernel_count_scores, METH_VARARGS, "count_scores(counts, log_share, scores): fill the scores."},
    {"threshold_scores", kernel_threshold_scores, METH_VARARGS,
     "threshold_scores(values, threshold, above, below, scores): fill the scores."},
    {"class_totals", kernel_class_totals, METH_VARARGS,
     "class_totals(values, classes, weights, totals): fill weights and amounts."},
    {"threshold_totals", kernel_threshold_totals, METH_VARARGS,
     "threshold_totals(values, threshold, classes, weights, totals): fill the weights above and not above."},
    {"class_moments", kernel_class_moments, METH_VARARGS,
     "class_moments(values, classes, weights, moments): fill lowest values, weights, means and spreads."},
    {"arff_lines", kernel_arff_lines, METH_VARARGS, "arff_lines(data, start): number of lines."},
    {"arff_rows", kernel_arff_rows, METH_VARARGS,
     "arff_rows(data, start, values, columns): fill the columns; rows read and the place of the first line left."},
    {"csv_rows", kernel_csv_rows, METH_VARARGS,
     "csv_rows(data, start, forms, unknown, columns, capacity): fill the columns; rows read, the place of the first "
     "line left, and what the columns hold."},
    {NULL, NULL, 0, NULL},
};

static int
load(PyObject *Py_UNUSED(module))
{
    keep_logs();
    return 0;
}

static PyModuleDef_Slot SLOTS[] = {
    {Py_mod_exec, (void *)load},
    {0, NULL},
};

static struct PyModuleDef MODULE = {
    PyModuleDef_HEAD_INIT,
    .m_name = "nbframework.kernels._compiled",
    .m_doc = "The kernels in C: buffers in, buffers out.",
    .m_size = 0,
    .m_methods = METHODS,
    .m_slots = SLOTS,
};

PyMODINIT_FUNC
PyInit__compiled(void)
{
    return PyModuleDef_Init(&MODULE);
}
