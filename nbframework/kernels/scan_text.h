/* The text that a scan reads, and numbers that it leaves to the interpreter. */
#ifndef NBFRAMEWORK_SCAN_TEXT_H
#define NBFRAMEWORK_SCAN_TEXT_H

#include "kernels.h"

typedef struct {
    Py_buffer buffer;
    int open;
    const char *text;
    size_t length;
} Text;

/* Open a text or the bytes of one; -1 with an exception where it is neither. */
int open_text(PyObject *object, Text *text);
void close_text(Text *text);

/* Check that a scan may start there; -1 with an exception where not. */
int check_start(const Text *text, Py_ssize_t start);

/* Convert by the interpreter, whose lock is taken for a moment; whether that gave a finite number. */
int convert_number(PyThreadState **state, const char *text, size_t length, double *value);

#endif
