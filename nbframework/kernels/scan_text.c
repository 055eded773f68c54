/* The text that a scan reads. */

#include "scan_text.h"
#include "arff_bytes.h"

#include <math.h>
#include <string.h>

int
open_text(PyObject *object, Text *text)
{
    text->open = 0;
    if (PyUnicode_Check(object)) {
        Py_ssize_t length;
        text->text = PyUnicode_AsUTF8AndSize(object, &length);
        text->length = (size_t)length;
        return text->text == NULL ? -1 : 0;
    }
    if (PyObject_GetBuffer(object, &text->buffer, PyBUF_SIMPLE) < 0) {
        return -1;
    }
    text->open = 1;
    text->text = text->buffer.buf;
    text->length = (size_t)text->buffer.len;
    return 0;
}

void
close_text(Text *text)
{
    if (text->open) {
        PyBuffer_Release(&text->buffer);
    }
}

int
check_start(const Text *text, Py_ssize_t start)
{
    if (start < 0 || (size_t)start > text->length) {
        PyErr_Format(PyExc_ValueError, "start: expected 0 to %zu, found %zd", text->length, start);
        return -1;
    }
    return 0;
}

int
convert_number(PyThreadState **state, const char *text, size_t length, double *value)
{
    char copy[LONGEST_NUMBER + 1];
    if (length > LONGEST_NUMBER) {
        return 0;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    PyEval_RestoreThread(*state);
    *value = PyOS_string_to_double(copy, NULL, NULL);
    int failed = PyErr_Occurred() != NULL;
    PyErr_Clear();
    *state = PyEval_SaveThread();
    return !failed && !isinf(*value);
}
