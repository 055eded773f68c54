/* The sweep over a part: the counts left and right of each boundary are kept up to date, and with them their x log x.
 *
 * In a large part whose counts are whole, boundaries are passed over that cannot be the best: the sum to be maximised
 * is known at some of them, and it rises by no more than so much with each row.
 */

#include "cuts.h"

#include <math.h>
#include <string.h>

#define EULER 2.71828182845904523536
#define SAMPLES 64       /* boundaries that are looked at first */
#define SHORTEST_LEAP 32 /* rows that are worth passing over */
#define ROUNDING 1e-12   /* the relative error that sums may have */

double
open_part(Column *column, const double *border)
{
    size_t present = 0;
    const double *low = border, *high = border + column->class_count;
    double weight = 0.0;
    for (size_t c = 0; c < column->class_count; c++) {
        double total = high[c] - low[c];
        column->position[c] = ABSENT;
        weight += total;
        if (total != 0) {
            column->position[c] = (uint32_t)present;
            column->class_of[present] = (uint32_t)c;
            column->total[present] = total;
            column->low[present] = low[c];
            column->cumulative[present] = low[c];
            column->left[present] = 0.0;
            column->right[present] = total;
            column->left_log[present] = 0.0;
            column->right_log[present] = x_log_x(total);
            present++;
        }
    }
    column->present = present;
    return weight;
}

static void
consider(const Column *column, double sum, double weight, size_t entry, size_t row, Cut *best)
{
    double entropy = -sum / (weight * LN2);
    if (!best->found || entropy < best->entropy) {
        best->found = 1;
        best->entropy = entropy;
        best->entry = entry + 1;
        best->row = row;
        memcpy(best->left, column->left, column->present * sizeof(double));
        memcpy(best->cumulative, column->cumulative, column->present * sizeof(double));
    }
    best->sum = sum;
}

/* x log x of a whole number; each is computed once, the first time it is needed. Nothing is written for 0 and 1, whose
 * x log x is 0, nor for what the columns share. */
static inline double
count_log(double *table, double count)
{
    double *entry = table + (size_t)count;
    if (*entry == 0.0 && count > 1.0) {
        *entry = x_log_x(count);
    }
    return *entry;
}

/* Minus the class entropy of both sides times their rows, summed in the order of the definition. */
static inline double
sides_sum(const double *left_log, const double *right_log, size_t present, double all_left, double all_right)
{
    double sum = 0.0;
    for (size_t q = 0; q < present; q++) {
        sum += left_log[q];
    }
    sum -= all_left;
    for (size_t q = 0; q < present; q++) {
        sum += right_log[q];
    }
    return sum - all_right;
}

/* A sweep over a part whose counts are whole: the next entry, and the rows and boundaries before it. */
typedef struct {
    Column *column;
    const Part *part;
    size_t entry, taken, rows, boundaries;
    int at_boundary;
    Cut *best;
} Sweep;

/* Judge every boundary until `target` rows are taken. */
static void
judge_each(Sweep *sweep, size_t target)
{
    Column *column = sweep->column;
    const size_t present = column->present, rows = sweep->rows;
    double *left = column->left, *right = column->right, *table = column->x_log_x;
    double *left_log = column->left_log, *right_log = column->right_log;
    size_t taken = sweep->taken, e = sweep->entry;
    for (; e + 1 < sweep->part->end_entry && taken < target; e++) {
        uint32_t mark = column->mark[e], count = column->rows_of[e], p = column->position[mark >> 1];
        left[p] += count;
        right[p] -= count;
        left_log[p] = count_log(table, left[p]);
        right_log[p] = count_log(table, right[p]);
        taken += count;
        if (mark & END_OF_VALUE) {
            double sum = sides_sum(left_log, right_log, present, count_log(table, (double)taken),
                                   count_log(table, (double)(rows - taken)));
            sweep->boundaries++;
            if (!sweep->best->found || sum > sweep->best->sum) {
                consider(column, sum, (double)rows, e, sweep->part->first_row + taken, sweep->best);
            }
        }
    }
    sweep->taken = taken;
    sweep->entry = e;
    sweep->at_boundary = e > sweep->part->first_entry && (column->mark[e - 1] & END_OF_VALUE);
}

/* Move over whole blocks of entries from the border of one, to at most `target` rows. */
static void
take_blocks(Sweep *sweep, size_t target)
{
    const Column *column = sweep->column;
    const size_t size = column->block_size, stride = column->class_count + 2;
    const uint32_t *before = column->blocks + sweep->entry / size * stride, *behind = before;
    size_t e = sweep->entry;
    for (; e + size < sweep->part->end_entry && sweep->taken + (behind[stride] - before[0]) <= target; e += size) {
        behind += stride;
    }
    for (size_t p = 0; p < column->present; p++) {
        size_t class = column->class_of[p] + 2;
        column->moved[p] += behind[class] - before[class];
    }
    sweep->taken += behind[0] - before[0];
    sweep->boundaries += behind[1] - before[1];
    sweep->entry = e;
}

/* Take rows without judging until `target` are taken and a value ends. */
static void
take_rows(Sweep *sweep, size_t target)
{
    Column *column = sweep->column;
    const size_t last = sweep->part->end_entry - 1, first = sweep->part->first_entry;
    memset(column->moved, 0, column->present * sizeof *column->moved);
    while (sweep->entry < last && (sweep->taken < target || !sweep->at_boundary)) {
        if (sweep->entry % column->block_size == 0) {
            take_blocks(sweep, target);
        }
        size_t e = sweep->entry, border = (e / column->block_size + 1) * column->block_size;
        uint32_t mark = e > first ? column->mark[e - 1] : END_OF_VALUE;
        for (; e < last && e < border && (sweep->taken < target || !(mark & END_OF_VALUE)); e++) {
            mark = column->mark[e];
            column->moved[column->position[mark >> 1]] += column->rows_of[e];
            sweep->taken += column->rows_of[e];
            sweep->boundaries += mark & END_OF_VALUE;
        }
        sweep->entry = e;
        sweep->at_boundary = mark & END_OF_VALUE;
    }
    for (size_t p = 0; p < column->present; p++) {
        column->left[p] += column->moved[p];
        column->right[p] -= column->moved[p];
        column->left_log[p] = count_log(column->x_log_x, column->left[p]);
        column->right_log[p] = count_log(column->x_log_x, column->right[p]);
    }
}

static double
sum_here(const Sweep *sweep)
{
    Column *column = sweep->column;
    double *table = column->x_log_x;
    return sides_sum(column->left_log, column->right_log, column->present, count_log(table, (double)sweep->taken),
                     count_log(table, (double)(sweep->rows - sweep->taken)));
}

static void
restart(Sweep *sweep)
{
    Column *column = sweep->column;
    sweep->entry = sweep->part->first_entry;
    sweep->taken = sweep->boundaries = 0;
    sweep->at_boundary = 0;
    for (size_t p = 0; p < column->present; p++) {
        column->left[p] = column->left_log[p] = 0.0;
        column->right[p] = column->total[p];
        column->right_log[p] = count_log(column->x_log_x, column->total[p]);
    }
}

/* The largest sum at some boundaries, which the best one cannot fall short of. */
static double
sampled_bound(Sweep *sweep)
{
    double bound = -INFINITY;
    for (size_t s = 1; s < SAMPLES; s++) {
        take_rows(sweep, sweep->rows / SAMPLES * s);
        double sum = sweep->at_boundary ? sum_here(sweep) : bound;
        bound = sum > bound ? sum : bound;
    }
    restart(sweep);
    return bound;
}

/* How many of the next `most` rows can be taken before the sum has risen by `lack`. A row of class p that goes from
 * the right to the left adds at most log((l + most) R / ((r - most) L)) to it, l and r being the rows of p on the
 * left and right, L and R all rows; where the class may run out, log((l + most) R / L) + 1. */
static size_t
safe_rows(const Sweep *sweep, double lack, size_t most)
{
    const Column *column = sweep->column;
    double largest = 0.0, all = (double)most;
    for (size_t p = 0; p < column->present; p++) {
        double rest = column->right[p] > all ? column->right[p] - all : 1 / EULER;
        double ratio = (column->left[p] + all) / rest;
        largest = ratio > largest ? ratio : largest;
    }
    double step = log(largest * (double)(sweep->rows - sweep->taken) / (double)sweep->taken);
    return step * all <= lack ? most : (size_t)(lack / step);
}

/* Take rows that need no judging, and judge the boundary behind them. */
static void
leap_over(Sweep *sweep, size_t leap)
{
    take_rows(sweep, sweep->taken + leap);
    if (sweep->at_boundary) {
        double sum = sum_here(sweep);
        if (!sweep->best->found || sum > sweep->best->sum) {
            consider(sweep->column, sum, (double)sweep->rows, sweep->entry - 1,
                     sweep->part->first_row + sweep->taken, sweep->best);
        }
    }
}

/* Sweep a part whose counts are whole. In a large one boundaries are passed over that cannot be the best. */
void
sweep_counts(Column *column, const Part *part, double weight, Cut *best)
{
    Sweep sweep = {column, part, part->first_entry, 0, (size_t)weight, 0, 0, best};
    if (part->end_entry - part->first_entry < WORTH_SAMPLING) {
        judge_each(&sweep, sweep.rows);
    } else {
        double bound = sampled_bound(&sweep), rounding = ROUNDING * weight * log(weight);
        size_t most = SHORTEST_LEAP;
        while (sweep.entry + 1 < part->end_entry) {
            double lack = sweep.taken ? bound - sum_here(&sweep) - rounding : 0.0;
            size_t leap = lack > 0 ? safe_rows(&sweep, lack, most) : 0;
            if (leap < SHORTEST_LEAP / 2) {
                judge_each(&sweep, sweep.taken + SHORTEST_LEAP);
                most = SHORTEST_LEAP;
            } else {
                leap_over(&sweep, leap);
                most = 2 * leap > SHORTEST_LEAP ? 2 * leap : SHORTEST_LEAP;
            }
        }
    }
    best->boundaries = sweep.boundaries;
    for (size_t p = 0; best->found && p < column->present; p++) {
        best->cumulative[p] = column->low[p] + best->left[p];
    }
}

/* Sweep a part with weights. */
void
sweep_weights(Column *column, const Part *part, double weight, Cut *best)
{
    const size_t present = column->present;
    size_t taken = 0;
    for (size_t e = part->first_entry; e + 1 < part->end_entry; e++) {
        uint32_t mark = column->mark[e], p = column->position[mark >> 1];
        taken += column->rows_of[e];
        if (p != ABSENT) {
            column->cumulative[p] += column->amount[e];
            column->left[p] = column->cumulative[p] - column->low[p];
            column->right[p] = column->total[p] - column->left[p];
            column->left_log[p] = x_log_x(column->left[p]);
            column->right_log[p] = x_log_x(column->right[p]);
        }
        if (mark & END_OF_VALUE) {
            double sum = sides_sum(column->left_log, column->right_log, present,
                                   x_log_x(sum_of(column->left, present)), x_log_x(sum_of(column->right, present)));
            best->boundaries++;
            if (!best->found || sum > best->sum) {
                consider(column, sum, weight, e, part->first_row + taken, best);
            }
        }
    }
}
