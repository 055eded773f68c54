/* What the sums of table entries are given. */
#ifndef NBFRAMEWORK_SCORING_H
#define NBFRAMEWORK_SCORING_H

#include "kernels.h"

typedef struct {
    const Integers *columns;
    size_t column_count;
    size_t rows;
    const size_t *offset;
    const double *table;
    size_t class_count;
    size_t width;
    const double *start;
    const Integers *group; /* NULL for a single one */
    size_t group_count;
    double *scores;
} Task;

/* Fill the scores. */
Fault score(const Task *task);

#endif
