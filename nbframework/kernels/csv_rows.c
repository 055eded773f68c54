/* csv_rows: the plain rows of a CSV file, in one pass, to columns of numbers and of codes of texts.
 *
 * Plain are fields without control characters, with or without double quotes around them and none inside. The scan
 * stops at the start of the first line that holds anything else, so that a careful reader can take over there.
 */

#include "csv_scan.h"
#include "scan_text.h"

#include <stdlib.h>
#include <string.h>

static int
open_fields(char form, PyObject *column, Py_ssize_t capacity, Fields *fields)
{
    fields->form = (Form)form;
    if (form == SKIPPED) {
        return 0;
    }
    if (form != NUMBERS && form != TEXTS) {
        PyErr_SetString(PyExc_ValueError, "forms: expected n, t or s for each column");
        return -1;
    }
    if (PyObject_GetBuffer(column, &fields->buffer, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | PyBUF_WRITABLE) < 0) {
        return -1;
    }
    fields->open = 1;
    fields->numbers = fields->buffer.buf;
    fields->codes = fields->buffer.buf;
    const char *format = fields->buffer.format ? fields->buffer.format : "";
    Py_ssize_t size = form == NUMBERS ? (Py_ssize_t)sizeof(double) : (Py_ssize_t)sizeof(uint32_t);
    if (fields->buffer.ndim != 1 || fields->buffer.itemsize != size || strlen(format) != 1 ||
        strchr(form == NUMBERS ? "d" : "IL", format[0]) == NULL || (uintptr_t)fields->buffer.buf % (size_t)size != 0) {
        PyErr_SetString(PyExc_TypeError, "columns: expected float64 for numbers and uint32 for texts");
        return -1;
    }
    if (fields->buffer.shape[0] != capacity) {
        PyErr_SetString(PyExc_ValueError, "columns: expected one element for each row that may be read");
        return -1;
    }
    if (form == TEXTS && start_texts(&fields->texts) < 0) {
        PyErr_NoMemory();
        return -1;
    }
    return 0;
}

static int
open_all(PyObject *forms, PyObject *columns, PyObject *unknown, Py_ssize_t capacity, Scan *scan)
{
    char *form;
    Py_ssize_t width;
    if (PyBytes_AsStringAndSize(forms, &form, &width) < 0) {
        return -1;
    }
    if (width == 0 || PyTuple_Size(columns) != width || capacity < 0) {
        PyErr_SetString(PyExc_ValueError, "columns: expected one for each form, at least one, and 0 rows or more");
        return -1;
    }
    scan->fields = PyMem_Calloc((size_t)width, sizeof(Fields));
    if (scan->fields == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    scan->width = (size_t)width;
    scan->capacity = (size_t)capacity;
    for (Py_ssize_t j = 0; j < width; j++) {
        if (open_fields(form[j], PyTuple_GetItem(columns, j), capacity, &scan->fields[j]) < 0) {
            return -1;
        }
    }
    return build_vocabulary(unknown, &scan->unknown);
}

static void
close_all(Scan *scan)
{
    for (size_t j = 0; scan->fields != NULL && j < scan->width; j++) {
        if (scan->fields[j].open) {
            PyBuffer_Release(&scan->fields[j].buffer);
        }
        free(scan->fields[j].texts.slots);
    }
    PyMem_Free(scan->fields);
    PyMem_Free(scan->unknown.slots);
}

/* How many texts stand in the rows: the line that stopped the reading may have had others. */
static size_t
count_texts(const Fields *fields, size_t rows)
{
    size_t count = 0;
    for (size_t row = 0; row < rows; row++) {
        count = fields->codes[row] < count ? count : (size_t)fields->codes[row] + 1;
    }
    return count < fields->texts.count ? count : fields->texts.count;
}

/* The texts of a column as a list of bytes; of one of numbers, whether all fields are such or unknown. */
static PyObject *
texts_of(const Fields *fields, size_t rows)
{
    if (fields->texts.slots == NULL) {
        return PyBool_FromLong(fields->failed == 0 || fields->failed > rows);
    }
    size_t count = count_texts(fields, rows);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list != NULL && i <= fields->texts.mask; i++) {
        const Slot *slot = &fields->texts.slots[i];
        if (slot->text == NULL || slot->code >= count) {
            continue;
        }
        PyObject *text = PyBytes_FromStringAndSize(slot->text, (Py_ssize_t)slot->length);
        if (text == NULL) {
            Py_DECREF(list);
            return NULL;
        }
        PyList_SetItem(list, (Py_ssize_t)slot->code, text);
    }
    /* where the data changed meanwhile, two texts may have become one */
    for (Py_ssize_t code = 0; list != NULL && code < (Py_ssize_t)count; code++) {
        if (PyList_GetItem(list, code) == NULL) {
            PyErr_Clear();
            PyList_SetItem(list, code, PyBytes_FromStringAndSize(NULL, 0));
        }
    }
    return list;
}

static PyObject *
result_of(const Scan *scan, Py_ssize_t position)
{
    PyObject *found = PyTuple_New((Py_ssize_t)scan->width);
    for (size_t j = 0; found != NULL && j < scan->width; j++) {
        PyObject *texts = texts_of(&scan->fields[j], scan->row);
        if (texts == NULL) {
            Py_DECREF(found);
            return NULL;
        }
        PyTuple_SetItem(found, (Py_ssize_t)j, texts);
    }
    return found == NULL ? NULL : Py_BuildValue("nnN", (Py_ssize_t)scan->row, position, found);
}

/* csv_rows(data, start, forms, unknown, columns, capacity) -> (rows, position, found): `found` has for each column its
 * texts, or whether all of its fields are numbers or unknown. */
PyObject *
kernel_csv_rows(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *data, *forms, *unknown, *columns, *result = NULL;
    Py_ssize_t start, capacity;
    if (!PyArg_ParseTuple(arguments, "OnSO!O!n:csv_rows", &data, &start, &forms, &PyTuple_Type, &unknown, &PyTuple_Type,
                          &columns, &capacity)) {
        return NULL;
    }
    Text text;
    Scan scan = {.width = 0};
    if (open_text(data, &text) < 0) {
        return NULL;
    }
    if (check_start(&text, start) < 0 || open_all(forms, columns, unknown, capacity, &scan) < 0) {
        goto done;
    }
    if (text.length >= UINT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "data: expected less than 4 GiB at a time");
        goto done;
    }
    scan.end = text.text + text.length;
    scan.state = PyEval_SaveThread();
    const char *reached = read_csv_rows(&scan, text.text + start);
    PyEval_RestoreThread(scan.state);
    result = scan.no_memory ? PyErr_NoMemory() : result_of(&scan, (Py_ssize_t)(reached - text.text));
done:
    close_all(&scan);
    close_text(&text);
    return result;
}
