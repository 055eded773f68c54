/* conditional_likelihood_ascent: the attribute weights of highest conditional likelihood, group by group.
 *
 * Each group is made small first: rows that say nothing are left out, classes without rows that look alike in all of
 * them are merged, factors that tell no classes apart are fixed, and factors that are the same in all of them have one
 * weight, because the pull towards 1 leaves them no other. What is left is maximised by damped Newton steps, each the
 * exact maximiser of its quadratic model in the box. The algorithm is that of the definition, with two short cuts that
 * leave its maximiser as it is: near the end one Hessian serves several steps, and a step first holds the bounds that
 * the one before it held.
 */

#include "ascent.h"

#include <math.h>
#include <string.h>

typedef struct {
    Doubles log_prior;
    Doubles log_factors;
    Integers classes;
    Doubles row_weights;
    Doubles points;
    Py_buffer finished;
    int finished_open;
    size_t *start;
    uint32_t *codes;
} Given;

static int
open_finished(PyObject *object, size_t groups, Given *given)
{
    if (PyObject_GetBuffer(object, &given->finished, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | PyBUF_WRITABLE) < 0) {
        return -1;
    }
    given->finished_open = 1;
    const Py_buffer *buffer = &given->finished;
    if (buffer->format == NULL || strcmp(buffer->format, "?") != 0 || buffer->ndim != 1 ||
        (size_t)buffer->shape[0] != groups) {
        PyErr_Format(PyExc_ValueError, "finished: expected %zu truth values", groups);
        return -1;
    }
    return 0;
}

static int
check_shapes(const Task *task, size_t rows, const Given *given)
{
    if ((size_t)given->log_prior.buffer.shape[0] != rows ||
        (size_t)given->log_prior.buffer.shape[1] != task->class_count) {
        PyErr_Format(PyExc_ValueError, "log_prior: expected (%zu, %zu) numbers", rows, task->class_count);
        return -1;
    }
    if (given->classes.length != rows || given->row_weights.length != rows) {
        PyErr_Format(PyExc_ValueError, "classes, row_weights: expected %zu, one for each row", rows);
        return -1;
    }
    if ((size_t)given->points.buffer.shape[1] != task->factors) {
        PyErr_Format(PyExc_ValueError, "points: expected %zu weights for each group", task->factors);
        return -1;
    }
    for (size_t i = 0; i < rows; i++) {
        if (!(task->row_weights[i] >= 0.0 && isfinite(task->row_weights[i]))) {
            PyErr_Format(PyExc_ValueError, "row_weights: expected finite numbers of at least 0, but row %zu has none",
                         i);
            return -1;
        }
    }
    return 0;
}

static int
check_parameters(const Task *task, Py_ssize_t iterations)
{
    if (!(isfinite(task->lower) && isfinite(task->upper) && task->lower <= task->upper && isfinite(task->first))) {
        PyErr_SetString(PyExc_ValueError, "lower, upper, first: expected finite numbers, lower at most upper");
        return -1;
    }
    if (!(task->pull > 0.0 && isfinite(task->pull) && task->tolerance >= 0.0) || iterations < 0) {
        PyErr_SetString(PyExc_ValueError,
                        "pull, tolerance, iterations: expected a pull above 0 and the others at least 0");
        return -1;
    }
    return 0;
}

static int
open_given(PyObject **array, Py_ssize_t iterations, Task *task, Given *given)
{
    if (open_doubles(array[0], "log_prior", 2, 0, &given->log_prior) < 0 ||
        open_doubles(array[1], "log_factors", 3, 0, &given->log_factors) < 0 ||
        open_integers(array[2], "classes", &given->classes) < 0 ||
        open_doubles(array[3], "row_weights", 1, 0, &given->row_weights) < 0 ||
        open_doubles(array[5], "points", 2, 1, &given->points) < 0) {
        return -1;
    }
    size_t rows = (size_t)given->log_factors.buffer.shape[0];
    task->class_count = (size_t)given->log_factors.buffer.shape[1];
    task->factors = (size_t)given->log_factors.buffer.shape[2];
    task->groups = (size_t)given->points.buffer.shape[0];
    task->log_prior = given->log_prior.data;
    task->log_factors = given->log_factors.data;
    task->row_weights = given->row_weights.data;
    task->points = given->points.data;
    task->iterations = (size_t)iterations;
    if (open_finished(array[6], task->groups, given) < 0 || check_shapes(task, rows, given) < 0 ||
        check_parameters(task, iterations) < 0) {
        return -1;
    }
    task->finished = given->finished.buf;
    given->start = read_offset(array[4], task->groups, rows);
    given->codes = PyMem_Malloc((rows + 1) * sizeof *given->codes);
    if (given->start == NULL || given->codes == NULL) {
        return given->start == NULL ? -1 : (PyErr_NoMemory(), -1);
    }
    size_t good = load_codes(&given->classes, 0, rows, limit_of(task->class_count), given->codes);
    if (good < rows) {
        raise_fault((Fault){BAD_CLASS, 0, good});
        return -1;
    }
    task->start = given->start;
    task->classes = given->codes;
    return 0;
}

/* conditional_likelihood_ascent(log_prior, log_factors, classes, row_weights, start, points, finished, lower, upper,
 * first, pull, tolerance, iterations): fills the points and whether each group is finished. */
PyObject *
kernel_conditional_likelihood_ascent(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *array[7], *result = NULL;
    Task task = {0};
    Py_ssize_t iterations;
    if (!PyArg_ParseTuple(arguments, "OOOOOOOdddddn:conditional_likelihood_ascent", &array[0], &array[1], &array[2],
                          &array[3], &array[4], &array[5], &array[6], &task.lower, &task.upper, &task.first,
                          &task.pull, &task.tolerance, &iterations)) {
        return NULL;
    }
    Given given = {.finished_open = 0};
    Fault fault;
    if (open_given(array, iterations, &task, &given) < 0) {
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    fault = solve_groups(&task);
    Py_END_ALLOW_THREADS
    result = none_or_raise(fault);
done:
    PyMem_Free(given.codes);
    PyMem_Free(given.start);
    if (given.finished_open) {
        PyBuffer_Release(&given.finished);
    }
    close_doubles(&given.points);
    close_doubles(&given.row_weights);
    close_integers(&given.classes);
    close_doubles(&given.log_factors);
    close_doubles(&given.log_prior);
    return result;
}
