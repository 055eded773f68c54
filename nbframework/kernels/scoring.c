/* log_scores and group_scores: the sums of the table entries that the codes of each row pick, for all classes; in
 * group_scores each row belongs to a group, which has a table and a start of its own.
 */

#include "scoring.h"

/* Open the arguments of both kernels; `group` is NULL for log_scores, whose table has no groups. */
static PyObject *
score_arguments(PyObject *columns, PyObject *offset, PyObject *group, PyObject *table, PyObject *start,
                PyObject *scores)
{
    PyObject *result = NULL;
    Doubles entries = {.open = 0}, first = {.open = 0}, out = {.open = 0};
    Integers groups = {.open = 0}, *codes = NULL;
    Task task = {0};
    size_t *borders = NULL, length = 0;
    int lead = group != NULL;
    if (open_doubles(table, "table", 2 + lead, 0, &entries) < 0 ||
        open_doubles(start, "start", 1 + lead, 0, &first) < 0 || open_doubles(scores, "scores", 2, 1, &out) < 0 ||
        (lead && open_integers(group, "group", &groups) < 0)) {
        goto done;
    }
    task.group_count = lead ? (size_t)entries.buffer.shape[0] : 1;
    task.class_count = (size_t)entries.buffer.shape[lead];
    task.width = (size_t)entries.buffer.shape[lead + 1];
    task.rows = (size_t)out.buffer.shape[0];
    codes = open_columns(columns, &task.column_count, &length);
    if (codes == NULL) {
        goto done;
    }
    borders = read_offset(offset, task.column_count, task.width);
    if (borders == NULL) {
        goto done;
    }
    if ((size_t)first.buffer.shape[lead] != task.class_count || (size_t)out.buffer.shape[1] != task.class_count ||
        first.length != task.group_count * task.class_count) {
        PyErr_Format(PyExc_ValueError, "start: expected %zu entries, one for each class, found %zu",
                     task.group_count * task.class_count, first.length);
        goto done;
    }
    if (lead && task.column_count == 0) {
        length = groups.length;
    }
    if (lead && groups.length != length) {
        PyErr_Format(PyExc_ValueError, "group: expected %zu, one for each row, found %zu", length, groups.length);
        goto done;
    }
    if (task.rows != length) {
        PyErr_Format(PyExc_ValueError, "scores: expected %zu rows, found %zu", length, task.rows);
        goto done;
    }
    task.columns = codes;
    task.offset = borders;
    task.table = entries.data;
    task.start = first.data;
    task.group = lead ? &groups : NULL;
    task.scores = out.data;
    Fault fault;
    Py_BEGIN_ALLOW_THREADS
    fault = score(&task);
    Py_END_ALLOW_THREADS
    result = none_or_raise(fault);
done:
    PyMem_Free(borders);
    close_columns(codes, task.column_count);
    close_integers(&groups);
    close_doubles(&out);
    close_doubles(&first);
    close_doubles(&entries);
    return result;
}

/* log_scores(columns, offset, table, start, scores): fills the scores. */
PyObject *
kernel_log_scores(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *columns, *offset, *table, *start, *scores;
    if (!PyArg_ParseTuple(arguments, "O!OOOO:log_scores", &PyTuple_Type, &columns, &offset, &table, &start,
                          &scores)) {
        return NULL;
    }
    return score_arguments(columns, offset, NULL, table, start, scores);
}

/* group_scores(columns, offset, group, table, start, scores): fills the scores. */
PyObject *
kernel_group_scores(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *columns, *offset, *group, *table, *start, *scores;
    if (!PyArg_ParseTuple(arguments, "O!OOOOO:group_scores", &PyTuple_Type, &columns, &offset, &group, &table, &start,
                          &scores)) {
        return NULL;
    }
    return score_arguments(columns, offset, group, table, start, scores);
}
