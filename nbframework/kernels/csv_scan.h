/* A scan of the rows of a CSV file to its columns. */
#ifndef NBFRAMEWORK_CSV_SCAN_H
#define NBFRAMEWORK_CSV_SCAN_H

#include "arff_values.h"
#include "kernels.h"

typedef enum { SKIPPED = 's', NUMBERS = 'n', TEXTS = 't' } Form;

typedef struct {
    Form form;
    Py_buffer buffer;
    int open;
    double *numbers;
    uint32_t *codes;
    Vocabulary texts; /* those that stand in the column, by the order in which they came */
    size_t failed;    /* the rows up to the first field that is neither a number nor unknown; 0 for none */
} Fields;

typedef struct {
    const char *end;
    Fields *fields;
    size_t width;
    size_t capacity;
    size_t row;
    Vocabulary unknown;
    PyThreadState *state;
    int no_memory;
} Scan;

/* Read rows, with `state` saved, up to the end or the first line that is not plain; the place reached. */
const char *read_csv_rows(Scan *scan, const char *p);

/* Room for the first texts of a column; -1 where there is no memory. */
int start_texts(Vocabulary *texts);

#endif
