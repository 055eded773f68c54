/* What the ascent is given, and the solution of all its groups. */
#ifndef NBFRAMEWORK_ASCENT_H
#define NBFRAMEWORK_ASCENT_H

#include "kernels.h"

typedef struct {
    const double *log_prior;
    const double *log_factors;
    const uint32_t *classes;
    const double *row_weights;
    const size_t *start;
    size_t groups;
    size_t class_count;
    size_t factors;
    double lower;
    double upper;
    double first;
    double pull;
    double tolerance;
    size_t iterations;
    double *points;
    uint8_t *finished;
} Task;

/* Fill the points and whether each group is finished. */
Fault solve_groups(const Task *task);

#endif
