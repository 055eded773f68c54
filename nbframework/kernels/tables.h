/* The tables that rows with codes and classes are counted into, and what class_counts and pair_counts are given. */
#ifndef NBFRAMEWORK_TABLES_H
#define NBFRAMEWORK_TABLES_H

#include "kernels.h"

typedef struct {
    Integers *columns;
    size_t column_count;
    size_t length; /* rows of the columns */
    size_t *offset;
    size_t width; /* cells of all columns */
    Integers classes;
    size_t class_count;
    const double *weights; /* NULL where each row counts once */
    const Integers *rows;  /* NULL where all are counted, once */
    double *cells;
    Doubles out, given_weights;
    Integers given_rows;
} Table;

static inline size_t
width_of(const Table *table, size_t j)
{
    return table->offset[j + 1] - table->offset[j];
}

/* The body of a kernel: opens (columns, offset, classes, weights or None, rows or None, cells), where the cells have a
 * name and so many dimensions, and counts without the interpreter lock. None, or NULL with an exception. */
PyObject *count_into_table(PyObject *arguments, const char *format, const char *name, int dimensions,
                           Fault (*count)(const Table *table));

#endif
