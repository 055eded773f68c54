/* A sorted column on its way to cut points: its entries, the part of it at hand, and the parts that wait.
 *
 * An entry is the rows of one value and class. A part is a run of entries; the best of its boundaries between values
 * may become a cut.
 */
#ifndef NBFRAMEWORK_CUTS_H
#define NBFRAMEWORK_CUTS_H

#include "kernels.h"

#include <math.h>

#define LN2 0.69314718055994530942
#define END_OF_VALUE 1u
#define ABSENT UINT32_MAX
#define WORTH_RELEASING 4096 /* rows from which on the interpreter lock is given away */
#define WORTH_SAMPLING 1024  /* entries from which on boundaries are passed over */

typedef struct {
    const double *values;
    const double *weights;
    size_t rows;
    size_t class_count;
    int kononenko;
    int count_boundaries;
    PyObject *lgamma;

    /* Entries: the class twice plus END_OF_VALUE, the rows, and with weights their sum. */
    size_t entry_count;
    uint32_t *mark;
    uint32_t *rows_of;
    double *amount;
    double *x_log_x;

    /* Before each block of entries: the rows, the boundaries, and the rows of each class; only of large columns. */
    size_t block_size;
    uint32_t *blocks;

    /* The present classes of the part at hand, side by side. */
    size_t present;
    uint32_t *position, *moved, *class_of;
    double *scratch, *total, *left, *right, *left_log, *right_log, *cumulative, *low;

    /* Parts to do: borders, and the cumulative class weights at both. */
    size_t waiting, capacity;
    struct part *parts;
    double *borders;

    size_t cut_count, cut_capacity;
    double *cuts;
} Column;

typedef struct part {
    size_t first_entry, end_entry, first_row;
} Part;

typedef struct {
    size_t entry, row, boundaries;
    double sum, entropy;
    double *left, *cumulative;
    int found;
} Cut;

static inline double
x_log_x(double x)
{
    return x > 0 ? x * log(x) : 0.0;
}

static inline double
sum_of(const double *numbers, size_t count)
{
    double sum = 0.0;
    for (size_t p = 0; p < count; p++) {
        sum += numbers[p];
    }
    return sum;
}

/* cuts.c: memory of a column, and its cuts as a list once its classes lie at `mark`, after which it is released. */
int check_class_count(Py_ssize_t class_count);
int check_numbers(const Column *column);
int allocate_column(Column *column);
void release_column(Column *column);
PyObject *cut_column(Column *column);

/* cuts_entries.c */
void make_entries(Column *column);
Fault count_blocks(Column *column);

/* cuts_recursion.c: 0, or -1 with an exception. */
int find_cuts(Column *column);

/* cuts_sweep.c: prepare the sums of a part, which returns its weight, and find its best boundary. */
double open_part(Column *column, const double *border);
void sweep_counts(Column *column, const Part *part, double weight, Cut *best);
void sweep_weights(Column *column, const Part *part, double weight, Cut *best);

/* cuts_rules.c: whether a cut is accepted, given weight and entropy before it; 1, 0, or -1 with an exception. */
double entropy_of(const double *counts, size_t count, double weight);
int is_accepted(const Column *column, double weight, double before, const Cut *cut);

#endif
