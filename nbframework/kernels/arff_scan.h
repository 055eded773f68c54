/* A scan of the rows of an ARFF data section to the columns of its attributes. */
#ifndef NBFRAMEWORK_ARFF_SCAN_H
#define NBFRAMEWORK_ARFF_SCAN_H

#include "arff_values.h"
#include "kernels.h"

typedef struct {
    int numeric;
    Py_buffer buffer;
    int open;
    char *out;
    Py_ssize_t size;
    Vocabulary vocabulary;
} Cells;

typedef struct {
    const char *end;
    Cells *cells;
    size_t width;
    size_t capacity;
    size_t row;
    PyThreadState *state;
} Scan;

/* Read rows, with `state` saved, up to the end or the first line that is not plain; the place reached. */
const char *read_rows(Scan *scan, const char *p);

#endif
