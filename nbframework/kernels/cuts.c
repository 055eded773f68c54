/* entropy_cuts: recursive entropy minimisation over one sorted column.
 *
 * The rows of one value and class become one entry. A part of the column is swept once: the counts left and right of
 * each boundary are kept up to date, and with them their x log x, which comes from a table where the counts are whole;
 * there, boundaries that cannot be the best are passed over.
 * Parts that wait for their turn are on a stack of our own. Each sum runs in the order of the definition, and the
 * logarithms are those of Python's math module, so that ties fall alike.
 */

#include "kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LN2 0.69314718055994530942
#define END_OF_VALUE 1u
#define ABSENT UINT32_MAX
#define WORTH_RELEASING 4096
#define MOST_KEPT 4096 /* the largest count whose x log x is kept */
#define LARGEST_POWER 600
#define EULER 2.71828182845904523536
/* Entries from which boundaries are passed over, how many are looked at first, rows that are worth a leap, and the
 * relative error that sums may have. */
#define WORTH_SAMPLING 1024
#define SAMPLES 64
#define SHORTEST_LEAP 32
#define SMALLEST_BLOCK 32
#define ROUNDING 1e-12

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

static double
x_log_x(double x)
{
    return x > 0 ? x * log(x) : 0.0;
}

/* x log x of small whole numbers, made once for all columns. */
static double kept_logs[MOST_KEPT + 1];

void
keep_logs(void)
{
    for (size_t count = 0; count <= MOST_KEPT; count++) {
        kept_logs[count] = x_log_x((double)count);
    }
}

/* --- entries ---------------------------------------------------------------------------------------------------- */

/* Make the entries of the rows that share a value. */
static void
close_value(Column *column, const uint32_t *group, size_t count, double *sums, uint32_t *rows, const double *weights)
{
    for (size_t i = 0; i < count; i++) {
        rows[group[i]]++;
        if (weights != NULL) {
            sums[group[i]] += weights[i];
        }
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t class = group[i];
        if (rows[class]) {
            column->mark[column->entry_count] = class << 1;
            column->rows_of[column->entry_count] = rows[class];
            if (weights != NULL) {
                column->amount[column->entry_count] = sums[class];
                sums[class] = 0;
            }
            rows[class] = 0;
            column->entry_count++;
        }
    }
    column->mark[column->entry_count - 1] |= END_OF_VALUE;
}

static void
make_entries(Column *column)
{
    size_t n = column->rows;
    /* The classes lie at the place of the entries, which never outrun them. */
    uint32_t *group = column->mark;
    double *sums = column->scratch;
    uint32_t *rows = column->position;
    memset(rows, 0, column->class_count * sizeof *rows);
    memset(sums, 0, column->class_count * sizeof *sums);
    size_t start = 0;
    for (size_t i = 0; i < n; i++) {
        if (i + 1 < n && !(column->values[i] < column->values[i + 1])) {
            continue;
        }
        if (start == i) {
            column->mark[column->entry_count] = group[i] << 1 | END_OF_VALUE;
            column->rows_of[column->entry_count] = 1;
            if (column->weights != NULL) {
                column->amount[column->entry_count] = column->weights[i];
            }
            column->entry_count++;
            start = i + 1;
            continue;
        }
        const double *weights = column->weights ? column->weights + start : NULL;
        close_value(column, group + start, i + 1 - start, sums, rows, weights);
        start = i + 1;
    }
}

/* Count the entries of a large column in blocks. */
static Fault
count_blocks(Column *column)
{
    size_t stride = column->class_count + 2;
    column->block_size = stride > SMALLEST_BLOCK / 4 ? 4 * stride : SMALLEST_BLOCK;
    size_t blocks = column->entry_count / column->block_size + 1;
    column->blocks = calloc((blocks + 1) * stride, sizeof(uint32_t));
    if (column->blocks == NULL) {
        return (Fault){NO_MEMORY, 0, 0};
    }
    uint32_t *counts = column->blocks;
    for (size_t e = 0; e < column->entry_count; e++) {
        if (e % column->block_size == 0) {
            memcpy(counts + stride, counts, stride * sizeof(uint32_t));
            counts += stride;
        }
        counts[0] += column->rows_of[e];
        counts[1] += column->mark[e] & END_OF_VALUE;
        counts[2 + (column->mark[e] >> 1)] += column->rows_of[e];
    }
    return (Fault){FINE, 0, 0};
}

/* --- one part --------------------------------------------------------------------------------------------------- */

static double
sum_of(const double *numbers, size_t count)
{
    double sum = 0.0;
    for (size_t p = 0; p < count; p++) {
        sum += numbers[p];
    }
    return sum;
}

static double
entropy_of(const double *counts, size_t count, double weight)
{
    double sum = 0.0;
    if (!(weight > 0)) {
        return 0.0;
    }
    for (size_t p = 0; p < count; p++) {
        sum += x_log_x(counts[p]);
    }
    return (weight * log(weight) - sum) / (weight * LN2);
}

/* Prepare the sums of a part; returns its weight. */
static double
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

/* x log x of a whole number; each is computed once, the first time it is needed. */
static inline double
count_log(double *table, double count)
{
    double *entry = table + (size_t)count;
    if (*entry == 0.0) {
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
static void
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
static void
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
            double sum = 0.0;
            for (size_t q = 0; q < present; q++) {
                sum += column->left_log[q];
            }
            sum -= x_log_x(sum_of(column->left, present));
            for (size_t q = 0; q < present; q++) {
                sum += column->right_log[q];
            }
            sum -= x_log_x(sum_of(column->right, present));
            best->boundaries++;
            if (!best->found || sum > best->sum) {
                consider(column, sum, weight, e, part->first_row + taken, best);
            }
        }
    }
}

/* --- the stop rules --------------------------------------------------------------------------------------------- */

static int
gain_pays(const Column *column, double weight, double before, const Cut *cut, const double *right, double candidates)
{
    size_t present = column->present;
    double part = 0.0;
    const double *sides[2] = {cut->left, right};
    for (int side = 0; side < 2; side++) {
        size_t classes = 0;
        for (size_t p = 0; p < present; p++) {
            classes += sides[side][p] != 0;
        }
        part += (double)classes * entropy_of(sides[side], present, sum_of(sides[side], present));
    }
    double k = (double)present;
    double answers = present < LARGEST_POWER ? log2(pow(3.0, k) - 2) : k * log2(3.0);
    double delta = answers - (k * before - part);
    return before - cut->entropy > (log2(candidates) + delta) / weight;
}

/* Python's lgamma, which is not the C library's; NaN with an exception where it fails. */
static double
lgamma_of(const Column *column, double x)
{
    if (PyErr_Occurred()) {
        return NAN;
    }
    PyObject *result = PyObject_CallFunction(column->lgamma, "d", x);
    if (result == NULL) {
        return NAN;
    }
    double value = PyFloat_AsDouble(result);
    Py_DECREF(result);
    return value;
}

static double
description_length(const Column *column, const double *counts)
{
    double weight = sum_of(counts, column->present), classes = (double)column->present, each = 0.0;
    double distribution = lgamma_of(column, weight + classes) - lgamma_of(column, classes) -
                          lgamma_of(column, weight + 1);
    for (size_t p = 0; p < column->present; p++) {
        each += lgamma_of(column, counts[p] + 1);
    }
    double labels = lgamma_of(column, weight + 1) - each;
    return (distribution + labels) / LN2;
}

static int
description_is_shorter(const Column *column, const Cut *cut, const double *right, double candidates)
{
    double sides = description_length(column, cut->left);
    sides += description_length(column, right);
    return description_length(column, column->total) > log2(candidates) + sides;
}

/* --- the recursion ---------------------------------------------------------------------------------------------- */

static int
push(Column *column, Part part, const double *low, const double *high)
{
    size_t c = column->class_count;
    if (column->waiting == column->capacity) {
        size_t capacity = 2 * column->capacity + 8;
        Part *parts = realloc(column->parts, capacity * sizeof *parts);
        if (parts == NULL) {
            return -1;
        }
        column->parts = parts;
        double *borders = realloc(column->borders, capacity * 2 * c * sizeof *borders);
        if (borders == NULL) {
            return -1;
        }
        column->borders = borders;
        column->capacity = capacity;
    }
    column->parts[column->waiting] = part;
    memcpy(column->borders + column->waiting * 2 * c, low, c * sizeof(double));
    memcpy(column->borders + column->waiting * 2 * c + c, high, c * sizeof(double));
    column->waiting++;
    return 0;
}

static int
add_cut(Column *column, double cut)
{
    if (column->cut_count == column->cut_capacity) {
        size_t capacity = 2 * column->cut_capacity + 8;
        double *cuts = realloc(column->cuts, capacity * sizeof *cuts);
        if (cuts == NULL) {
            return -1;
        }
        column->cuts = cuts;
        column->cut_capacity = capacity;
    }
    column->cuts[column->cut_count++] = cut;
    return 0;
}

/* Find the best cut of a part and whether it is accepted; 1, 0, or -1 with an exception. */
static int
accepted_cut(Column *column, const Part *part, const double *border, Cut *cut)
{
    double weight = open_part(column, border);
    cut->found = 0;
    cut->boundaries = 0;
    if (column->present < 2 || weight < 2) {
        return 0;
    }
    PyThreadState *state = part->end_entry - part->first_entry > WORTH_RELEASING ? PyEval_SaveThread() : NULL;
    if (column->weights != NULL) {
        sweep_weights(column, part, weight, cut);
    } else {
        sweep_counts(column, part, weight, cut);
    }
    if (state != NULL) {
        PyEval_RestoreThread(state);
    }
    double before = entropy_of(column->total, column->present, weight);
    if (!cut->found || !(cut->entropy < before)) {
        return 0;
    }
    double *right = column->right, candidates = column->count_boundaries ? (double)cut->boundaries : weight - 1;
    for (size_t p = 0; p < column->present; p++) {
        right[p] = column->total[p] - cut->left[p];
    }
    int accepted = column->kononenko ? description_is_shorter(column, cut, right, candidates)
                                     : gain_pays(column, weight, before, cut, right, candidates);
    return PyErr_Occurred() ? -1 : accepted;
}

static int
find_cuts(Column *column)
{
    size_t c = column->class_count;
    double *border = calloc(6 * c + 1, sizeof(double));
    if (border == NULL) {
        return -1;
    }
    double *low = border, *high = border + c, *middle = border + 2 * c;
    Cut cut = {.left = border + 3 * c, .cumulative = border + 4 * c};
    for (size_t e = 0; e < column->entry_count; e++) {
        high[column->mark[e] >> 1] += column->weights ? column->amount[e] : (double)column->rows_of[e];
    }
    int status = push(column, (Part){0, column->entry_count, 0}, low, high);
    while (status == 0 && column->waiting > 0) {
        Part part = column->parts[--column->waiting];
        memcpy(border, column->borders + column->waiting * 2 * c, 2 * c * sizeof(double));
        status = accepted_cut(column, &part, border, &cut);
        if (status == 1) {
            for (size_t class = 0; class < c; class++) {
                uint32_t p = column->position[class];
                middle[class] = p == ABSENT ? low[class] : cut.cumulative[p];
            }
            status = add_cut(column, (column->values[cut.row - 1] + column->values[cut.row]) / 2);
            if (status == 0) {
                status = push(column, (Part){part.first_entry, cut.entry, part.first_row}, low, middle);
            }
            if (status == 0) {
                status = push(column, (Part){cut.entry, part.end_entry, cut.row}, middle, high);
            }
        }
    }
    free(border);
    if (status < 0 && !PyErr_Occurred()) {
        PyErr_NoMemory();
    }
    return status;
}

/* --- the call --------------------------------------------------------------------------------------------------- */

static int
check_numbers(const Column *column)
{
    for (size_t i = 0; i + 1 < column->rows; i++) {
        if (!(column->values[i] <= column->values[i + 1])) {
            PyErr_Format(PyExc_ValueError, "values: expected ascending numbers, row %zu breaks the order", i + 1);
            return -1;
        }
    }
    if (column->rows > 0 && isnan(column->values[0])) {
        PyErr_SetString(PyExc_ValueError, "values: expected numbers, row 0 is NaN");
        return -1;
    }
    for (size_t i = 0; column->weights != NULL && i < column->rows; i++) {
        if (!(column->weights[i] >= 0 && column->weights[i] <= 1.7976931348623157e308)) {
            PyErr_Format(PyExc_ValueError, "weights: expected finite numbers of at least 0, row %zu has none", i);
            return -1;
        }
    }
    return 0;
}

static int
allocate(Column *column)
{
    size_t n = column->rows + 1, c = column->class_count + 1;
    column->mark = malloc(n * sizeof(uint32_t));
    column->rows_of = malloc(n * sizeof(uint32_t));
    column->amount = column->weights ? malloc(n * sizeof(double)) : NULL;
    if (column->weights == NULL) {
        column->x_log_x = column->rows <= MOST_KEPT ? kept_logs : calloc(n, sizeof(double));
    }
    column->position = malloc(3 * c * sizeof(uint32_t));
    column->scratch = malloc(7 * c * sizeof(double));
    if (!column->mark || !column->rows_of || !column->position || !column->scratch ||
        !(column->weights ? column->amount : column->x_log_x)) {
        PyErr_NoMemory();
        return -1;
    }
    column->moved = column->position + c;
    column->class_of = column->moved + c;
    column->total = column->scratch;
    column->left = column->total + c;
    column->right = column->left + c;
    column->left_log = column->right + c;
    column->right_log = column->left_log + c;
    column->cumulative = column->right_log + c;
    column->low = column->cumulative + c;
    return 0;
}

static void
release(Column *column)
{
    free(column->mark);
    free(column->rows_of);
    free(column->amount);
    if (column->x_log_x != kept_logs) {
        free(column->x_log_x);
    }
    free(column->position);
    free(column->blocks);
    free(column->scratch);
    free(column->parts);
    free(column->borders);
    free(column->cuts);
}

/* Make the entries of the classes at `mark`, find the cuts, and release what was allocated. */
static PyObject *
cut_column(Column *column)
{
    PyObject *result = NULL;
    Fault fault = {FINE, 0, 0};
    PyThreadState *state = column->rows > WORTH_RELEASING ? PyEval_SaveThread() : NULL;
    make_entries(column);
    if (column->weights == NULL && column->entry_count >= WORTH_SAMPLING) {
        fault = count_blocks(column);
    }
    if (state != NULL) {
        PyEval_RestoreThread(state);
    }
    if (fault.kind != FINE) {
        raise_fault(fault);
        goto done;
    }
    if (find_cuts(column) < 0) {
        goto done;
    }
    result = PyList_New((Py_ssize_t)column->cut_count);
    for (size_t i = 0; result != NULL && i < column->cut_count; i++) {
        PyObject *cut = PyFloat_FromDouble(column->cuts[i]);
        if (cut == NULL || PyList_SetItem(result, (Py_ssize_t)i, cut) < 0) {
            Py_CLEAR(result);
        }
    }
done:
    release(column);
    return result;
}

static int
check_class_count(Py_ssize_t class_count)
{
    if (class_count < 0 || class_count >= INT32_MAX) {
        PyErr_Format(PyExc_ValueError, "class_count: expected 0 to %d, found %zd", INT32_MAX - 1, class_count);
        return -1;
    }
    return 0;
}

/* entropy_cuts(values, classes, class_count, weights or None, kononenko, count_boundaries, lgamma) -> list of cuts,
 * in no order. */
PyObject *
kernel_entropy_cuts(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *values, *classes, *weights, *result = NULL;
    Py_ssize_t class_count;
    Column column = {0};
    if (!PyArg_ParseTuple(arguments, "OOnOppO:entropy_cuts", &values, &classes, &class_count, &weights,
                          &column.kononenko, &column.count_boundaries, &column.lgamma)) {
        return NULL;
    }
    Doubles sorted = {.open = 0}, weight = {.open = 0};
    Integers group = {.open = 0};
    if (open_doubles(values, "values", 1, 0, &sorted) < 0 || open_integers(classes, "classes", &group) < 0 ||
        (weights != Py_None && open_doubles(weights, "weights", 1, 0, &weight) < 0) ||
        check_class_count(class_count) < 0) {
        goto done;
    }
    if (group.length != sorted.length || (weights != Py_None && weight.length != sorted.length)) {
        PyErr_Format(PyExc_ValueError, "classes and weights: expected %zu, one for each value", sorted.length);
        goto done;
    }
    if (sorted.length >= UINT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "values: expected less than 2**32 - 1 rows");
        goto done;
    }
    column.values = sorted.data;
    column.weights = weights != Py_None ? weight.data : NULL;
    column.rows = sorted.length;
    column.class_count = (size_t)class_count;
    if (check_numbers(&column) < 0) {
        goto done;
    }
    if (allocate(&column) < 0) {
        release(&column);
        goto done;
    }
    size_t good = load_codes(&group, 0, column.rows, (uint32_t)class_count, column.mark);
    if (good < column.rows) {
        raise_fault((Fault){BAD_CLASS, 0, good});
        release(&column);
        goto done;
    }
    result = cut_column(&column);
done:
    close_integers(&group);
    close_doubles(&weight);
    close_doubles(&sorted);
    return result;
}

/* --- all columns of some rows ----------------------------------------------------------------------------------- */

/* The rows of a data set: their classes, as bytes where they are given so, and how often each is looked at, which is
 * once where `times` is NULL. */
typedef struct {
    size_t count;
    Integers group;
    const uint8_t *small;
    uint32_t *classes;
    uint32_t *times;
} RowSet;

/* Copy codes to memory of their own; NULL with an exception. */
static uint32_t *
copied_codes(const Integers *array, size_t *good)
{
    uint32_t *copy = malloc((array->length + 1) * sizeof(uint32_t));
    if (copy == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    *good = load_codes(array, 0, array->length, UINT32_MAX, copy);
    return copy;
}

static int
open_classes(PyObject *classes, RowSet *rows)
{
    if (open_integers(classes, "classes", &rows->group) < 0) {
        return -1;
    }
    rows->count = rows->group.length;
    rows->small = dense_bytes(&rows->group, 0);
    size_t good = rows->count;
    if (rows->small == NULL && (rows->classes = copied_codes(&rows->group, &good)) == NULL) {
        return -1;
    }
    if (good < rows->count) {
        raise_fault((Fault){BAD_CLASS, 0, good});
        return -1;
    }
    return 0;
}

static int
read_times(PyObject *times, RowSet *rows)
{
    int status = -1;
    Integers often = {.open = 0};
    size_t good = 0;
    if (times == Py_None) {
        return 0;
    }
    if (open_integers(times, "times", &often) < 0) {
        return -1;
    }
    if (often.length != rows->count) {
        PyErr_Format(PyExc_ValueError, "times: expected %zu, one for each row, found %zu", rows->count, often.length);
    } else if ((rows->times = copied_codes(&often, &good)) != NULL) {
        status = good < rows->count ? -1 : 0;
        if (status < 0) {
            PyErr_Format(PyExc_ValueError, "times: expected numbers of at least 0, row %zu has none", good);
        }
    }
    close_integers(&often);
    return status;
}

static void
close_rows(RowSet *rows)
{
    free(rows->times);
    free(rows->classes);
    close_integers(&rows->group);
}

/* How many values a column gives, or -1 with an exception. */
static int64_t
count_values(const RowSet *rows, const size_t *order, size_t length)
{
    if (rows->times == NULL) {
        return (int64_t)length;
    }
    int64_t values = 0;
    for (size_t i = 0; i < length; i++) {
        values += rows->times[order[i]];
    }
    if (values >= UINT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "times: expected less than 2**32 - 1 rows together");
        return -1;
    }
    return values;
}

/* Write the values in order, and their classes to `mark`; -1 with an exception. */
static int
gather_column(Column *column, const RowSet *rows, const size_t *order, size_t length, const double *from,
              double *sorted)
{
    const uint32_t class_count = (uint32_t)column->class_count;
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        size_t row = order[i];
        uint32_t times = rows->times ? rows->times[row] : 1;
        uint32_t class = rows->small ? rows->small[row] : rows->classes[row];
        if (times > 0 && class >= class_count) {
            raise_fault((Fault){BAD_CLASS, 0, row});
            return -1;
        }
        for (; times > 0; times--) {
            sorted[n] = from[row];
            column->mark[n++] = class;
        }
    }
    column->values = sorted;
    return check_numbers(column);
}

/* Read the row numbers of a column; NULL with an exception. `made` is memory to free, where it had to be made. */
static const size_t *
read_order(const Integers *order, size_t rows, size_t **made)
{
    if (order->length > rows || order->length >= UINT32_MAX) {
        PyErr_Format(PyExc_ValueError, "order: expected at most %zu rows, found %zu", rows, order->length);
        return NULL;
    }
    const size_t *dense = dense_rows(order);
    size_t good = 0;
    if (dense != NULL) {
        while (good < order->length && dense[good] < rows) {
            good++;
        }
    } else {
        *made = malloc((order->length + 1) * sizeof(size_t));
        if (*made == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
        good = load_rows(order, 0, order->length, rows, *made);
        dense = *made;
    }
    if (good < order->length) {
        PyErr_Format(PyExc_ValueError, "order: expected rows from 0 to %zd", (Py_ssize_t)rows - 1);
        return NULL;
    }
    return dense;
}

/* The cuts of one column as a list; NULL with an exception. */
static PyObject *
ordered_cuts(const Column *options, const RowSet *rows, PyObject *values, PyObject *order)
{
    PyObject *result = NULL;
    Column column = *options;
    Doubles from = {.open = 0};
    Integers given = {.open = 0};
    size_t *made = NULL;
    double *sorted = NULL;
    if (open_doubles(values, "values", 1, 0, &from) < 0 || open_integers(order, "order", &given) < 0) {
        goto done;
    }
    if (from.length != rows->count) {
        PyErr_Format(PyExc_ValueError, "values: expected %zu, one for each row, found %zu", rows->count, from.length);
        goto done;
    }
    const size_t *places = read_order(&given, rows->count, &made);
    int64_t count = places == NULL ? -1 : count_values(rows, places, given.length);
    if (count < 0) {
        goto done;
    }
    column.rows = (size_t)count;
    sorted = malloc((column.rows + 1) * sizeof(double));
    if (sorted == NULL) {
        PyErr_NoMemory();
    } else if (allocate(&column) < 0 ||
               gather_column(&column, rows, places, given.length, from.data, sorted) < 0) {
        release(&column);
    } else {
        result = cut_column(&column);
    }
done:
    free(sorted);
    free(made);
    close_integers(&given);
    close_doubles(&from);
    return result;
}

/* column_cuts(columns, orders, times or None, classes, class_count, kononenko, count_boundaries, lgamma) -> a list of
 * cuts, in no order, for each column. */
PyObject *
kernel_column_cuts(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *columns, *orders, *times, *classes, *result = NULL;
    Py_ssize_t class_count;
    Column options = {0};
    RowSet rows = {0};
    if (!PyArg_ParseTuple(arguments, "O!O!OOnppO:column_cuts", &PyTuple_Type, &columns, &PyTuple_Type, &orders, &times,
                          &classes, &class_count, &options.kononenko, &options.count_boundaries, &options.lgamma) ||
        check_class_count(class_count) < 0) {
        return NULL;
    }
    Py_ssize_t count = PyTuple_Size(columns);
    if (PyTuple_Size(orders) != count) {
        PyErr_Format(PyExc_ValueError, "orders: expected %zd, one for each column", count);
        return NULL;
    }
    options.class_count = (size_t)class_count;
    if (open_classes(classes, &rows) == 0 && read_times(times, &rows) == 0) {
        result = PyList_New(count);
    }
    for (Py_ssize_t j = 0; result != NULL && j < count; j++) {
        PyObject *cuts = ordered_cuts(&options, &rows, PyTuple_GetItem(columns, j), PyTuple_GetItem(orders, j));
        if (cuts == NULL || PyList_SetItem(result, j, cuts) < 0) {
            Py_CLEAR(result);
        }
    }
    close_rows(&rows);
    return result;
}
