/* parent_sums: the log of the sum over all parents of P(class, parent) times the product of P(child | class, parent). */

#include "dependence.h"

#include <math.h>

/* Open the table of each parent, which has to have an entry for each of its codes that may be a parent. */
static int
open_tables(PyObject *tuple, const Task *task, Doubles *tables)
{
    if ((size_t)PyTuple_Size(tuple) != task->column_count) {
        PyErr_Format(PyExc_ValueError, "tables: expected %zu, one for each column", task->column_count);
        return -1;
    }
    for (size_t j = 0; j < task->column_count; j++) {
        if (open_doubles(PyTuple_GetItem(tuple, (Py_ssize_t)j), "tables", 3, 0, &tables[j]) < 0) {
            return -1;
        }
        const Py_ssize_t *shape = tables[j].buffer.shape;
        if ((size_t)shape[1] != task->width || (size_t)shape[2] != task->stride) {
            PyErr_Format(PyExc_ValueError, "table %zu: expected (values, %zu, %zu), found (%zd, %zd, %zd)", j,
                         task->width, task->stride, shape[0], shape[1], shape[2]);
            return -1;
        }
        for (size_t value = (size_t)shape[0]; task->offset[j] + value < task->offset[j + 1]; value++) {
            if (task->log_weight[task->offset[j] + value] > -INFINITY) {
                PyErr_Format(PyExc_ValueError, "table %zu: expected an entry for code %zu, found %zd codes", j, value,
                             shape[0]);
                return -1;
            }
        }
    }
    return 0;
}

/* parent_sums(columns, offset, tables, start, log_weight, sums): fills the sums. */
PyObject *
kernel_parent_sums(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *columns, *offset, *tables, *start, *log_weight, *sums, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "O!OO!OOO:parent_sums", &PyTuple_Type, &columns, &offset, &PyTuple_Type, &tables,
                          &start, &log_weight, &sums)) {
        return NULL;
    }
    Task task = {0};
    Doubles first = {.open = 0}, weight = {.open = 0}, out = {.open = 0}, *opened = NULL;
    Integers *codes = NULL;
    size_t *borders = NULL, length = 0;
    if (open_doubles(start, "start", 2, 0, &first) < 0 || open_doubles(log_weight, "log_weight", 1, 0, &weight) < 0 ||
        open_doubles(sums, "sums", 2, 1, &out) < 0 ||
        (codes = open_columns(columns, &task.column_count, &length)) == NULL) {
        goto done;
    }
    task.width = (size_t)first.buffer.shape[0];
    task.stride = (size_t)first.buffer.shape[1];
    task.rows = (size_t)out.buffer.shape[0];
    task.class_count = (size_t)out.buffer.shape[1];
    borders = read_offset(offset, task.column_count, task.width);
    if (borders == NULL) {
        goto done;
    }
    if (task.column_count == 0 || task.rows != length || weight.length != task.width || task.stride % VECTOR != 0 ||
        task.class_count > task.stride || task.width > UINT32_MAX / (task.stride + 1)) {
        PyErr_Format(PyExc_ValueError,
                     "parent_sums: expected columns of %zu rows, %zu weights and classes padded to a multiple of %d, "
                     "found sums of (%zu, %zu), %zu weights and %zu padded classes",
                     length, task.width, VECTOR, task.rows, task.class_count, weight.length, task.stride);
        goto done;
    }
    task.columns = codes;
    task.offset = borders;
    task.start = first.data;
    task.log_weight = weight.data;
    task.sums = out.data;
    opened = PyMem_Calloc(task.column_count, sizeof *opened);
    if (opened == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    if (open_tables(tables, &task, opened) < 0) {
        goto done;
    }
    task.tables = opened;
    Fault fault;
    Py_BEGIN_ALLOW_THREADS
    fault = sum_parents(&task);
    Py_END_ALLOW_THREADS
    result = none_or_raise(fault);
done:
    for (size_t j = 0; opened != NULL && j < task.column_count; j++) {
        close_doubles(&opened[j]);
    }
    PyMem_Free(opened);
    PyMem_Free(borders);
    close_columns(codes, task.column_count);
    close_doubles(&out);
    close_doubles(&weight);
    close_doubles(&first);
    return result;
}
