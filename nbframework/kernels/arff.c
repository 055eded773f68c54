/* arff_lines and arff_rows: the plain rows of an ARFF data section, in one pass, to columns.
 *
 * Plain are dense rows of decimal numbers, declared values with or without quotes, and bare question marks; blank
 * lines and comments are skipped. The scan stops at the start of the first line that holds anything else, so that a
 * careful reader can take over there: what is accepted here means the same there.
 */

#include "arff_scan.h"
#include "arff_values.h"
#include "scan_text.h"

#include <string.h>

DISPATCHED static size_t
count_lines(const char *text, size_t length)
{
    size_t lines = 1, i = 0;
    while (i + 1 < length) {
        size_t stop = i + 255 * 16 < length - 1 ? i + 255 * 16 : length - 1;
        uint32_t found = 0;
        for (; i < stop; i++) {
            found += (text[i] == '\n') | ((text[i] == '\r') & (text[i + 1] != '\n'));
        }
        lines += found;
    }
    return lines;
}

/* arff_lines(data, start) -> the number of lines, an upper bound for the rows. */
PyObject *
kernel_arff_lines(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *data, *result = NULL;
    Py_ssize_t start;
    if (!PyArg_ParseTuple(arguments, "On:arff_lines", &data, &start)) {
        return NULL;
    }
    Text text;
    if (open_text(data, &text) < 0) {
        return NULL;
    }
    if (check_start(&text, start) == 0) {
        size_t lines;
        Py_BEGIN_ALLOW_THREADS
        lines = count_lines(text.text + start, text.length - (size_t)start);
        Py_END_ALLOW_THREADS
        result = PyLong_FromSize_t(lines);
    }
    close_text(&text);
    return result;
}

static int
open_cells(PyObject *values, PyObject *column, Cells *cells)
{
    if (PyObject_GetBuffer(column, &cells->buffer, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | PyBUF_WRITABLE) < 0) {
        return -1;
    }
    cells->open = 1;
    cells->numeric = values == Py_None;
    cells->out = cells->buffer.buf;
    cells->size = cells->buffer.itemsize;
    const char *format = cells->buffer.format ? cells->buffer.format : "";
    if (cells->buffer.ndim != 1 || cells->size < 1 || (uintptr_t)cells->out % (size_t)cells->size != 0 ||
        strlen(format) != 1 || strchr(cells->numeric ? "d" : "BHIL", format[0]) == NULL) {
        PyErr_SetString(PyExc_TypeError, "columns: expected float64 for numbers and unsigned integers for codes");
        return -1;
    }
    if (cells->numeric) {
        return 0;
    }
    if (!PyTuple_Check(values)) {
        PyErr_SetString(PyExc_TypeError, "values: expected None or a tuple for each attribute");
        return -1;
    }
    if (build_vocabulary(values, &cells->vocabulary) < 0) {
        return -1;
    }
    uint64_t unknown = (uint64_t)cells->vocabulary.count + 1;
    if (cells->size > 4 || unknown >= UINT64_C(1) << (8 * cells->size)) {
        PyErr_SetString(PyExc_ValueError, "columns: expected 8, 16 or 32 bits, enough for the codes");
        return -1;
    }
    return 0;
}

/* arff_rows(data, start, values, columns) -> (rows, position). */
PyObject *
kernel_arff_rows(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *data, *values, *columns, *result = NULL;
    Py_ssize_t start;
    if (!PyArg_ParseTuple(arguments, "OnO!O!:arff_rows", &data, &start, &PyTuple_Type, &values, &PyTuple_Type,
                          &columns)) {
        return NULL;
    }
    Text text;
    Scan scan = {.width = (size_t)PyTuple_Size(values)};
    if (open_text(data, &text) < 0) {
        return NULL;
    }
    if (check_start(&text, start) < 0) {
        goto done;
    }
    if (PyTuple_Size(columns) != (Py_ssize_t)scan.width) {
        PyErr_SetString(PyExc_ValueError, "columns: expected one for each attribute");
        goto done;
    }
    scan.cells = PyMem_Calloc(scan.width ? scan.width : 1, sizeof(Cells));
    if (scan.cells == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    for (size_t j = 0; j < scan.width; j++) {
        PyObject *declared = PyTuple_GetItem(values, (Py_ssize_t)j), *column = PyTuple_GetItem(columns, (Py_ssize_t)j);
        if (open_cells(declared, column, &scan.cells[j]) < 0) {
            goto done;
        }
        if (j > 0 && scan.cells[j].buffer.shape[0] != scan.cells[0].buffer.shape[0]) {
            PyErr_SetString(PyExc_ValueError, "columns: expected the same length");
            goto done;
        }
    }
    scan.capacity = scan.width ? (size_t)scan.cells[0].buffer.shape[0] : 0;
    scan.end = text.text + text.length;
    scan.state = PyEval_SaveThread();
    const char *reached = read_rows(&scan, text.text + start);
    PyEval_RestoreThread(scan.state);
    result = Py_BuildValue("nn", (Py_ssize_t)scan.row, (Py_ssize_t)(reached - text.text));
done:
    for (size_t j = 0; scan.cells != NULL && j < scan.width; j++) {
        if (scan.cells[j].open) {
            PyBuffer_Release(&scan.cells[j].buffer);
        }
        PyMem_Free(scan.cells[j].vocabulary.slots);
    }
    PyMem_Free(scan.cells);
    close_text(&text);
    return result;
}
