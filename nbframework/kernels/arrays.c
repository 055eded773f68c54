/* Arrays in: buffers opened with their format checked, and exceptions for what was found wrong. */

#include "kernels.h"

#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

#define HUGE_PAGE ((size_t)2 << 20)
#define WORTH_HUGE_PAGES ((size_t)3 << 20)

/* Their kind, or -1 where they are no integers in native byte order. */
static int
integer_kind(const Py_buffer *buffer)
{
    const char *format = buffer->format;
    if (format == NULL || format[0] == '\0' || format[1] != '\0') {
        return -1;
    }
    int is_signed;
    if (strchr("?BHILQN", format[0]) != NULL) {
        is_signed = 0;
    } else if (strchr("bhilqn", format[0]) != NULL) {
        is_signed = 1;
    } else {
        return -1;
    }
    switch (buffer->itemsize) {
    case 1:
        return is_signed ? I8 : U8;
    case 2:
        return is_signed ? I16 : U16;
    case 4:
        return is_signed ? I32 : U32;
    case 8:
        return is_signed ? I64 : U64;
    default:
        return -1;
    }
}

int
open_integers(PyObject *object, const char *name, Integers *array)
{
    array->open = 0;
    if (PyObject_GetBuffer(object, &array->buffer, PyBUF_STRIDES | PyBUF_FORMAT) < 0) {
        return -1;
    }
    array->open = 1;
    if (array->buffer.ndim != 1) {
        PyErr_Format(PyExc_ValueError, "%s: expected one dimension, found %d", name, array->buffer.ndim);
        close_integers(array);
        return -1;
    }
    int kind = integer_kind(&array->buffer);
    if (kind < 0) {
        PyErr_Format(PyExc_TypeError, "%s: expected native integers, found the format %s", name,
                     array->buffer.format ? array->buffer.format : "(none)");
        close_integers(array);
        return -1;
    }
    array->kind = (IntegerKind)kind;
    array->data = array->buffer.buf;
    array->length = (size_t)array->buffer.shape[0];
    array->stride = array->buffer.strides[0];
    return 0;
}

void
close_integers(Integers *array)
{
    if (array->open) {
        PyBuffer_Release(&array->buffer);
        array->open = 0;
    }
}

int
open_doubles(PyObject *object, const char *name, int dimensions, int writable, Doubles *array)
{
    int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
    array->open = 0;
    if (PyObject_GetBuffer(object, &array->buffer, flags) < 0) {
        return -1;
    }
    array->open = 1;
    const char *format = array->buffer.format;
    if (format == NULL || strcmp(format, "d") != 0 || (uintptr_t)array->buffer.buf % sizeof(double) != 0) {
        PyErr_Format(PyExc_TypeError, "%s: expected native float64, found the format %s", name,
                     format ? format : "(none)");
        close_doubles(array);
        return -1;
    }
    if (array->buffer.ndim != dimensions) {
        PyErr_Format(PyExc_ValueError, "%s: expected %d dimensions, found %d", name, dimensions, array->buffer.ndim);
        close_doubles(array);
        return -1;
    }
    array->data = array->buffer.buf;
    array->length = (size_t)array->buffer.len / sizeof(double);
    return 0;
}

void
close_doubles(Doubles *array)
{
    if (array->open) {
        PyBuffer_Release(&array->buffer);
        array->open = 0;
    }
}

int
open_matrix(PyObject *object, const char *name, Matrix *array)
{
    const Py_ssize_t size = (Py_ssize_t)sizeof(double);
    array->open = 0;
    if (PyObject_GetBuffer(object, &array->buffer, PyBUF_STRIDES | PyBUF_FORMAT) < 0) {
        return -1;
    }
    array->open = 1;
    const Py_buffer *buffer = &array->buffer;
    if (buffer->ndim != 2) {
        PyErr_Format(PyExc_ValueError, "%s: expected 2 dimensions, found %d", name, buffer->ndim);
        close_matrix(array);
        return -1;
    }
    if (buffer->format == NULL || strcmp(buffer->format, "d") != 0 || (uintptr_t)buffer->buf % sizeof(double) != 0 ||
        buffer->strides[0] % size != 0 || buffer->strides[1] % size != 0) {
        PyErr_Format(PyExc_TypeError, "%s: expected native float64 at whole steps, found the format %s", name,
                     buffer->format ? buffer->format : "(none)");
        close_matrix(array);
        return -1;
    }
    array->data = buffer->buf;
    array->rows = (size_t)buffer->shape[0];
    array->columns = (size_t)buffer->shape[1];
    array->row_stride = buffer->strides[0] / size;
    array->column_stride = buffer->strides[1] / size;
    return 0;
}

void
close_matrix(Matrix *array)
{
    if (array->open) {
        PyBuffer_Release(&array->buffer);
        array->open = 0;
    }
}

Integers *
open_columns(PyObject *tuple, size_t *count, size_t *length)
{
    size_t columns = (size_t)PyTuple_Size(tuple);
    Integers *array = PyMem_Calloc(columns ? columns : 1, sizeof(Integers));
    if (array == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    for (size_t j = 0; j < columns; j++) {
        PyObject *column = PyTuple_GetItem(tuple, (Py_ssize_t)j);
        if (column == NULL || open_integers(column, "columns", &array[j]) < 0) {
            close_columns(array, columns);
            return NULL;
        }
        if (array[j].length != array[0].length) {
            PyErr_Format(PyExc_ValueError, "columns: column %zu has %zu rows, column 0 has %zu", j, array[j].length,
                         array[0].length);
            close_columns(array, columns);
            return NULL;
        }
    }
    *count = columns;
    *length = columns ? array[0].length : 0;
    return array;
}

void
close_columns(Integers *columns, size_t count)
{
    if (columns != NULL) {
        for (size_t j = 0; j < count; j++) {
            close_integers(&columns[j]);
        }
        PyMem_Free(columns);
    }
}

PyObject *
raise_fault(Fault fault)
{
    switch (fault.kind) {
    case BAD_CODE:
        return PyErr_Format(PyExc_ValueError, "columns: the code in column %zu, row %zu is outside the column's block",
                            fault.column, fault.row);
    case BAD_CLASS:
        return PyErr_Format(PyExc_ValueError, "classes: the class in row %zu is not below the number of classes",
                            fault.row);
    case BAD_ROW:
        return PyErr_Format(PyExc_ValueError, "rows: index %zu points outside the columns", fault.row);
    case BAD_GROUP:
        return PyErr_Format(PyExc_ValueError, "group: the group in row %zu is not below the number of groups",
                            fault.row);
    case BAD_LEFT_OUT:
        return PyErr_Format(PyExc_ValueError, "left_out: index %zu points outside the training rows", fault.row);
    default:
        return PyErr_NoMemory();
    }
}

PyObject *
none_or_raise(Fault fault)
{
    return fault.kind == FINE ? Py_NewRef(Py_None) : raise_fault(fault);
}

void *
large_memory(size_t bytes)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (bytes >= WORTH_HUGE_PAGES) {
        void *memory = aligned_alloc(HUGE_PAGE, (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
        if (memory != NULL) {
            madvise(memory, bytes, MADV_HUGEPAGE); /* a system that has none goes on with small ones */
        }
        return memory;
    }
#endif
    return malloc(bytes);
}
