/* The recursion over the parts of a column, on a stack of our own. */

#include "cuts.h"

#include <stdlib.h>
#include <string.h>

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
    return cut->found && cut->entropy < before ? is_accepted(column, weight, before, cut) : 0;
}

int
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
