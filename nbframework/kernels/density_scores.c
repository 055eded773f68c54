/* gaussian_scores, count_scores and threshold_scores: the log likelihoods of rows of numbers under each class. */

#include "density_sums.h"

/* Open the tables of the classes and the scores, fill these, and close all. */
static PyObject *
fill_scores(DensityTask *task, PyObject *values, PyObject *const *tables, size_t table_count, const char *const *names,
            PyObject *scores)
{
    PyObject *result = NULL;
    Doubles table[2] = {{.open = 0}, {.open = 0}}, out = {.open = 0};
    if (open_matrix(values, "values", &task->values) < 0 || open_doubles(scores, "scores", 2, 1, &out) < 0) {
        goto done;
    }
    const size_t rows = task->values.rows, columns = task->values.columns;
    task->class_count = (size_t)out.buffer.shape[1];
    task->scores = out.data;
    if ((size_t)out.buffer.shape[0] != rows) {
        PyErr_Format(PyExc_ValueError, "scores: expected %zu rows, found %zd", rows, out.buffer.shape[0]);
        goto done;
    }
    for (size_t k = 0; k < table_count; k++) {
        if (open_doubles(tables[k], names[k], 2, 0, &table[k]) < 0) {
            goto done;
        }
        const Py_ssize_t *shape = table[k].buffer.shape;
        if ((size_t)shape[0] != task->class_count || (size_t)shape[1] != columns) {
            PyErr_Format(PyExc_ValueError, "%s: expected (%zu, %zu) numbers, for classes and columns, found (%zd, %zd)",
                         names[k], task->class_count, columns, shape[0], shape[1]);
            goto done;
        }
        task->given[k] = table[k].data;
    }
    Fault fault;
    Py_BEGIN_ALLOW_THREADS
    fault = sum_densities(task);
    Py_END_ALLOW_THREADS
    result = none_or_raise(fault);
done:
    close_doubles(&table[1]);
    close_doubles(&table[0]);
    close_doubles(&out);
    close_matrix(&task->values);
    return result;
}

/* gaussian_scores(values, mean, variance, scores): fills the scores. */
PyObject *
kernel_gaussian_scores(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *values, *tables[2], *scores;
    DensityTask task = {.term = NORMAL};
    if (!PyArg_ParseTuple(arguments, "OOOO:gaussian_scores", &values, &tables[0], &tables[1], &scores)) {
        return NULL;
    }
    return fill_scores(&task, values, tables, 2, (const char *const[]){"mean", "variance"}, scores);
}

/* count_scores(counts, log_share, scores): fills the scores. */
PyObject *
kernel_count_scores(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *values, *table, *scores;
    DensityTask task = {.term = COUNT};
    if (!PyArg_ParseTuple(arguments, "OOO:count_scores", &values, &table, &scores)) {
        return NULL;
    }
    return fill_scores(&task, values, &table, 1, (const char *const[]){"log_share"}, scores);
}

/* threshold_scores(values, threshold, above, below, scores): fills the scores. */
PyObject *
kernel_threshold_scores(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *values, *tables[2], *scores;
    DensityTask task = {.term = THRESHOLD};
    if (!PyArg_ParseTuple(arguments, "OdOOO:threshold_scores", &values, &task.threshold, &tables[0], &tables[1],
                          &scores)) {
        return NULL;
    }
    return fill_scores(&task, values, tables, 2, (const char *const[]){"above", "below"}, scores);
}
