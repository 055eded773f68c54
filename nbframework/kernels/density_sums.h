/* What the log likelihoods of numbers are summed from. */
#ifndef NBFRAMEWORK_DENSITY_SUMS_H
#define NBFRAMEWORK_DENSITY_SUMS_H

#include "kernels.h"

/* What a number adds to the sum of a class, whose entries for its column are a, b and c: a normal density with the mean
 * a, c - ((x - a) b)^2; a count times the logarithm a, where 0 times infinity is 0; a where it is above the threshold,
 * else b. */
typedef enum { NORMAL, COUNT, THRESHOLD } Term;

typedef struct {
    Term term;
    Matrix values;
    size_t class_count;
    const double *given[2]; /* mean and variance, logarithms, or those above and below; (classes, columns) each */
    double threshold;
    double *scores;
} DensityTask;

/* The table, column by column, the classes side by side with their entries. */
typedef struct {
    size_t width, stride; /* entries of a class, of a column */
    double *entries;
    size_t *column; /* from the start those that are summed in vectors, at the end those that are added apart */
    size_t plain, apart;
} DensityTable;

/* Make the table, which is 0 before; -1 where memory ran out. It is freed in either case. */
int make_table(const DensityTask *task, DensityTable *table);
void free_table(DensityTable *table);

/* Fill the scores. */
Fault sum_densities(const DensityTask *task);

#endif
