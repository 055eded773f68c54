/* What the sums over all parents are given, and their loops' memory. */
#ifndef NBFRAMEWORK_DEPENDENCE_H
#define NBFRAMEWORK_DEPENDENCE_H

#include "kernels.h"

#define VECTOR 4 /* classes of a cell are padded to a multiple */

typedef struct {
    const Integers *columns;
    size_t column_count;
    size_t rows;
    const size_t *offset;
    const Doubles *tables; /* of each parent (values, cells, stride) */
    const double *start;   /* (cells, stride) */
    const double *log_weight;
    size_t class_count;
    size_t stride;
    size_t width;
    double *sums;

    /* For a block of rows. */
    uint32_t *code;  /* of each column, row by row */
    uint32_t *place; /* of each row, column by column: where the entries of its cell begin */
    double *top;     /* of each row and class: the largest term, */
    double *total;   /* and the sum of all terms over it */
    double *terms, *few; /* of a few rows: their terms, and what is made of them, */
    size_t spacing;      /* and how far one row's are from the next one's */
} Task;

/* Fill the sums. */
Fault sum_parents(Task *task);

#endif
