/* squared_distances, and the distances that the other kernels are made of.
 *
 * Training rows are copied to blocks of slices that stay in the first cache: numbers, and codes as numbers, column by
 * column. The sums of a slice take up a few columns at a time, in their order. Where all columns are codes, their bytes
 * are compared instead and mismatches counted in bytes.
 */

#include "distances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RUN_COLUMNS 255
#define MOST_CELLS ((size_t)1 << 18)
#define BLOCK_BYTES ((size_t)4 << 20)
#define HAS_UNKNOWN 1
#define HAS_OUTSIDE 2
#define CODE_LIMIT ((uint32_t)1 << 31)

/* --- arguments -------------------------------------------------------------------------------------------------- */

static int
is_floats(PyObject *object)
{
    Py_buffer buffer;
    if (PyObject_GetBuffer(object, &buffer, PyBUF_STRIDES | PyBUF_FORMAT) < 0) {
        return -1;
    }
    int answer = buffer.format != NULL && strcmp(buffer.format, "d") == 0;
    PyBuffer_Release(&buffer);
    return answer;
}

static size_t
side_length(const Side *side)
{
    return side->is_code ? side->codes.length : side->numbers.length;
}

static int
open_side(PyObject *tuple, size_t j, const char *name, Side *side)
{
    PyObject *column = PyTuple_GetItem(tuple, (Py_ssize_t)j);
    int floats = column != NULL ? is_floats(column) : -1;
    if (floats < 0) {
        return -1;
    }
    side->is_code = !floats;
    return floats ? open_doubles(column, name, 1, 0, &side->numbers) : open_integers(column, name, &side->codes);
}

static int
open_sides(PyObject *tuple, const char *name, size_t columns, Side *side, size_t *length)
{
    for (size_t j = 0; j < columns; j++) {
        if (open_side(tuple, j, name, &side[j]) < 0) {
            return -1;
        }
        if (side_length(&side[j]) != side_length(&side[0])) {
            PyErr_Format(PyExc_ValueError, "%s: column %zu has %zu rows, column 0 has %zu", name, j,
                         side_length(&side[j]), side_length(&side[0]));
            return -1;
        }
    }
    *length = side_length(&side[0]);
    return 0;
}

int
open_search(PyObject *queries, PyObject *training, PyObject *bounds, double farthest, int rescale, Search *search)
{
    memset(search, 0, sizeof *search);
    size_t columns = (size_t)PyTuple_Size(training);
    if (columns == 0 || (size_t)PyTuple_Size(queries) != columns) {
        PyErr_Format(PyExc_ValueError,
                     "queries: expected the %zu columns of the training rows, at least one, found %zd", columns,
                     PyTuple_Size(queries));
        return -1;
    }
    search->query = PyMem_Calloc(columns, sizeof *search->query);
    search->row = PyMem_Calloc(columns, sizeof *search->row);
    if (search->query == NULL || search->row == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    search->columns = columns;
    search->farthest = farthest;
    search->rescale = rescale;
    if (open_sides(queries, "queries", columns, search->query, &search->queries) < 0 ||
        open_sides(training, "training", columns, search->row, &search->rows) < 0 ||
        open_doubles(bounds, "bounds", 2, 0, &search->bounds) < 0) {
        return -1;
    }
    if ((size_t)search->bounds.buffer.shape[0] != columns || search->bounds.buffer.shape[1] != 2) {
        PyErr_Format(PyExc_ValueError, "bounds: expected two for each of %zu columns", columns);
        return -1;
    }
    search->all_codes = columns <= UINT16_MAX;
    for (size_t j = 0; j < columns; j++) {
        if (search->query[j].is_code != search->row[j].is_code) {
            PyErr_Format(PyExc_TypeError, "queries: column %zu has numbers on one side and codes on the other", j);
            return -1;
        }
        if (!search->row[j].is_code &&
            !(isfinite(search->bounds.data[2 * j]) && isfinite(search->bounds.data[2 * j + 1]))) {
            PyErr_Format(PyExc_ValueError, "bounds: those of column %zu are not finite", j);
            return -1;
        }
        search->all_codes &= search->row[j].is_code;
    }
    return 0;
}

void
close_search(Search *search)
{
    for (size_t j = 0; j < search->columns; j++) {
        close_integers(&search->query[j].codes);
        close_doubles(&search->query[j].numbers);
        close_integers(&search->row[j].codes);
        close_doubles(&search->row[j].numbers);
    }
    close_doubles(&search->bounds);
    PyMem_Free(search->query);
    PyMem_Free(search->row);
    free(search->value);
    free(search->plan.kind);
    free(search->plan.run);
    free(search->plan.one);
    free(search->plan.other);
    free(search->plan.unknown);
    free(search->plan.known);
    free(search->plan.plain);
    free(search->memory);
    free(search->width);
    free(search->gaps);
}

/* --- queries and training rows ---------------------------------------------------------------------------------- */

static uint8_t
byte_width(const Side *side)
{
    size_t bytes = (size_t)side->codes.buffer.itemsize;
    return (uint8_t)(bytes < 4 ? bytes : 4);
}

Fault
start_search(Search *search, size_t tile)
{
    size_t most_queries = MOST_CELLS / search->columns, cells;
    search->tile = tile < most_queries ? tile : most_queries > 0 ? most_queries : 1;
    cells = search->tile * search->columns;
    search->value = malloc(cells * sizeof *search->value);
    search->width = malloc(search->columns);
    search->gaps = malloc(search->columns);
    search->plan.kind = malloc(cells);
    search->plan.run = malloc(cells);
    search->plan.one = malloc(cells * sizeof *search->plan.one);
    search->plan.other = malloc(cells * sizeof *search->plan.other);
    search->plan.unknown = malloc(search->tile);
    search->plan.known = malloc(search->tile * sizeof *search->plan.known);
    search->plan.plain = malloc(search->tile);
    if (search->value == NULL || search->width == NULL || search->gaps == NULL || search->plan.kind == NULL ||
        search->plan.run == NULL || search->plan.one == NULL || search->plan.other == NULL ||
        search->plan.unknown == NULL || search->plan.known == NULL ||
        search->plan.plain == NULL) {
        return (Fault){NO_MEMORY, 0, 0};
    }
    for (size_t j = 0; search->all_codes && j < search->columns; j++) {
        search->width[j] = byte_width(&search->row[j]);
        search->planes += search->width[j];
    }
    size_t bytes = search->all_codes ? search->planes : search->columns * sizeof(double);
    size_t whole = (search->rows + SLICE_ROWS - 1) / SLICE_ROWS, most = BLOCK_BYTES / bytes / SLICE_ROWS;
    most = most > 0 ? most : 1;
    search->block = (whole < most ? whole : most) * SLICE_ROWS;
    search->memory = calloc(search->block * bytes + LINE, 1);
    if (search->memory == NULL) {
        return (Fault){NO_MEMORY, 0, 0};
    }
    search->bytes = (uint8_t *)(((uintptr_t)search->memory + LINE - 1) / LINE * LINE);
    search->numbers = (double *)search->bytes;
    return (Fault){FINE, 0, 0};
}

Fault
load_queries(Search *search, size_t first, size_t count)
{
    uint32_t code[SLICE_ROWS];
    search->asked = count;
    for (size_t j = 0; j < search->columns; j++) {
        double *to = search->value + j;
        if (!search->query[j].is_code) {
            const double *from = search->query[j].numbers.data + first;
            for (size_t i = 0; i < count; i++) {
                to[i * search->columns] = from[i];
            }
            continue;
        }
        for (size_t start = 0; start < count; start += SLICE_ROWS) {
            size_t rows = count - start < SLICE_ROWS ? count - start : SLICE_ROWS;
            size_t good = load_codes(&search->query[j].codes, first + start, rows, CODE_LIMIT, code);
            if (good < rows) {
                return (Fault){BAD_CODE, j, first + start + good};
            }
            for (size_t i = 0; i < rows; i++) {
                to[(start + i) * search->columns] = code[i];
            }
        }
    }
    return (Fault){FINE, 0, 0};
}

/* Load codes of one slice as numbers or as bytes, the low byte first. */
static Fault
load_code_slice(Search *search, size_t j, size_t plane, size_t offset, size_t rows)
{
    uint32_t code[SLICE_ROWS];
    size_t good = load_codes(&search->row[j].codes, search->first + offset, rows, CODE_LIMIT, code);
    if (good < rows) {
        return (Fault){BAD_CODE, j, search->first + offset + good};
    }
    if (!search->all_codes) {
        double *to = search->numbers + offset * search->columns + j * SLICE_ROWS;
        for (size_t i = 0; i < rows; i++) {
            to[i] = code[i];
        }
        return (Fault){FINE, 0, 0};
    }
    for (size_t b = 0; b < search->width[j]; b++) {
        uint8_t *to = search->bytes + offset * search->planes + (plane + b) * SLICE_ROWS;
        for (size_t i = 0; i < rows; i++) {
            to[i] = (uint8_t)(code[i] >> 8 * b);
        }
    }
    return (Fault){FINE, 0, 0};
}

static void
load_number_slice(Search *search, size_t j, size_t offset, size_t rows)
{
    const double *from = search->row[j].numbers.data + search->first + offset;
    double *to = search->numbers + offset * search->columns + j * SLICE_ROWS;
    const double low = search->bounds.data[2 * j], high = search->bounds.data[2 * j + 1];
    uint8_t gaps = search->gaps[j];
    for (size_t i = 0; i < rows; i++) {
        gaps |= from[i] != from[i] ? HAS_UNKNOWN : 0;
        gaps |= from[i] < low || from[i] > high ? HAS_OUTSIDE : 0;
        to[i] = from[i];
    }
    search->gaps[j] = gaps;
}

static Fault
load_block(Search *search, size_t first)
{
    size_t left = search->rows - first, count = left < search->block ? left : search->block;
    if (search->loaded > 0 && search->first == first) {
        return (Fault){FINE, 0, 0};
    }
    search->first = first;
    search->loaded = 0;
    memset(search->gaps, 0, search->columns);
    for (size_t offset = 0; offset < count; offset += SLICE_ROWS) {
        size_t rows = count - offset < SLICE_ROWS ? count - offset : SLICE_ROWS, plane = 0;
        for (size_t j = 0; j < search->columns; j++) {
            if (search->row[j].is_code) {
                Fault fault = load_code_slice(search, j, plane, offset, rows);
                if (fault.kind != FINE) {
                    return fault;
                }
                plane += search->all_codes ? search->width[j] : 0;
            } else {
                load_number_slice(search, j, offset, rows);
            }
        }
    }
    search->loaded = count;
    return (Fault){FINE, 0, 0};
}

/* --- sums of squares -------------------------------------------------------------------------------------------- */

static inline double
larger(double one, double other)
{
    return one > other ? one : other;
}

/* The terms: of a training value and two numbers that depend on the query. */

static inline double
mismatch(double x, double value, double Py_UNUSED(other))
{
    return x != value ? 1.0 : 0.0;
}

static inline double
square(double x, double value, double Py_UNUSED(other))
{
    double difference = value - x;
    return difference * difference;
}

static inline double
square_or_farthest(double x, double value, double farthest)
{
    /* a comparison with 0 rather than of x with itself, because it is vectorized */
    double term = square(x, value, 0.0);
    return term >= 0.0 ? term : farthest;
}

/* The same of a value between the bounds: then no term is larger, and one that is no number is not smaller. */
static inline double
square_up_to_farthest(double x, double value, double farthest)
{
    double term = square(x, value, 0.0);
    return term < farthest ? term : farthest;
}

static inline double
farthest_square(double x, double low, double high)
{
    double far = larger(x - low, high - x), term = far * far;
    return term >= 0.0 ? term : (high - low) * (high - low);
}

/* Add the terms of a run of columns of one kind to the sums of a slice; a constant number of them at a time. */
#define ADD_COLUMNS(TOGETHER, TERM)                                                                                   \
    for (; j + TOGETHER <= columns; j += TOGETHER, column += TOGETHER * SLICE_ROWS) {                                 \
        const double *restrict a = one + j, *restrict b = other + j;                                                  \
        for (size_t r = 0; r < SLICE_ROWS; r++) {                                                                     \
            double sum = sums[r];                                                                                     \
            for (size_t k = 0; k < TOGETHER; k++) {                                                                   \
                sum += TERM(column[k * SLICE_ROWS + r], a[k], b[k]);                                                  \
            }                                                                                                         \
            sums[r] = sum;                                                                                            \
        }                                                                                                             \
    }

#define RUN(NAME, TERM)                                                                                               \
    DISPATCHED static void NAME(const double *restrict column, size_t columns, const double *restrict one,            \
                                const double *restrict other, double *restrict sums)                                  \
    {                                                                                                                 \
        size_t j = 0;                                                                                                 \
        ADD_COLUMNS(8, TERM)                                                                                          \
        ADD_COLUMNS(4, TERM)                                                                                          \
        ADD_COLUMNS(1, TERM)                                                                                          \
    }

RUN(add_mismatches, mismatch)
RUN(add_squares, square)
RUN(add_squares_or_farthest, square_or_farthest)
RUN(add_squares_up_to_farthest, square_up_to_farthest)
RUN(add_farthest, farthest_square)

static inline double
known_square(double x, double value)
{
    double term = square(x, value, 0.0);
    return term >= 0.0 ? term : 0.0;
}

static inline double
is_unknown(double x, double value)
{
    return square(x, value, 0.0) >= 0.0 ? 0.0 : 1.0;
}

/* Add what is known of a run of columns and count down what is not. */
DISPATCHED static void
add_known_squares(const double *restrict column, size_t columns, const double *restrict value, double *restrict sums,
                  double *restrict known)
{
    size_t j = 0;
    for (; j + 4 <= columns; j += 4, column += 4 * SLICE_ROWS) {
        const double a0 = value[j], a1 = value[j + 1], a2 = value[j + 2], a3 = value[j + 3];
        const double *one = column + SLICE_ROWS, *two = one + SLICE_ROWS, *three = two + SLICE_ROWS;
        for (size_t r = 0; r < SLICE_ROWS; r++) {
            double sum = sums[r] + known_square(column[r], a0);
            sum += known_square(one[r], a1);
            sum += known_square(two[r], a2);
            sums[r] = sum + known_square(three[r], a3);
            known[r] -= (is_unknown(column[r], a0) + is_unknown(one[r], a1)) +
                        (is_unknown(two[r], a2) + is_unknown(three[r], a3));
        }
    }
    for (; j < columns; j++, column += SLICE_ROWS) {
        const double a = value[j];
        for (size_t r = 0; r < SLICE_ROWS; r++) {
            sums[r] += known_square(column[r], a);
        }
        for (size_t r = 0; r < SLICE_ROWS; r++) {
            known[r] -= is_unknown(column[r], a);
        }
    }
}

DISPATCHED static void
rescale_slice(double columns, double farthest, const double *restrict known, double *restrict out)
{
    /* two loops, because one would not be vectorized */
    for (size_t r = 0; r < SLICE_ROWS; r++) {
        out[r] *= columns / known[r];
    }
    for (size_t r = 0; r < SLICE_ROWS; r++) {
        out[r] = known[r] > 0.0 ? out[r] : farthest;
    }
}

typedef enum { MISMATCHES, SQUARES, OR_FARTHEST, UP_TO_FARTHEST, FARTHEST, KNOWN, NOTHING } Kind;

/* The kind of a column for a query's value. */
static Kind
kind_of(const Search *search, size_t j, double value)
{
    if (search->row[j].is_code) {
        return MISMATCHES;
    }
    if (value != value) {
        return search->rescale ? NOTHING : FARTHEST;
    }
    if (!(search->gaps[j] & HAS_UNKNOWN)) {
        return SQUARES;
    }
    return search->rescale ? KNOWN : search->gaps[j] & HAS_OUTSIDE ? OR_FARTHEST : UP_TO_FARTHEST;
}

/* Find out how a query is compared with the rows of the block. */
static void
plan_query(Search *search, size_t query)
{
    size_t place = query * search->columns;
    const double *value = search->value + place, *bounds = search->bounds.data;
    uint8_t *kind = search->plan.kind + place, *run = search->plan.run + place, unknown = 0, plain = 1;
    double known = (double)search->columns;
    for (size_t j = search->columns; j-- > 0;) {
        double low = bounds[2 * j], high = bounds[2 * j + 1], far = larger(value[j] - low, high - value[j]);
        kind[j] = (uint8_t)kind_of(search, j, value[j]);
        int longer = j + 1 < search->columns && kind[j + 1] == kind[j] && run[j + 1] < RUN_COLUMNS;
        run[j] = (uint8_t)(longer ? run[j + 1] + 1 : 1);
        search->plan.one[place + j] = kind[j] == FARTHEST ? low : value[j];
        search->plan.other[place + j] = kind[j] == FARTHEST ? high : far * far;
        known -= kind[j] == NOTHING ? 1.0 : 0.0;
        unknown |= kind[j] == NOTHING || kind[j] == KNOWN;
        plain &= kind[j] == SQUARES;
    }
    search->plan.unknown[query] = unknown;
    search->plan.known[query] = known;
    search->plan.plain[query] = plain;
}

void
measure_slice(const Search *search, size_t query, size_t offset, double *out)
{
    const Plan *plan = &search->plan;
    const double *column = search->numbers + offset * search->columns;
    double known[SLICE_ROWS];
    memset(out, 0, SLICE_ROWS * sizeof *out);
    for (size_t r = 0; plan->unknown[query] && r < SLICE_ROWS; r++) {
        known[r] = plan->known[query];
    }
    for (size_t j = query * search->columns, end = j + search->columns, run; j < end; j += run) {
        const double *one = plan->one + j, *other = plan->other + j;
        run = plan->run[j];
        switch (plan->kind[j]) {
        case MISMATCHES:
            add_mismatches(column, run, one, other, out);
            break;
        case SQUARES:
            add_squares(column, run, one, other, out);
            break;
        case OR_FARTHEST:
            add_squares_or_farthest(column, run, one, other, out);
            break;
        case UP_TO_FARTHEST:
            add_squares_up_to_farthest(column, run, one, other, out);
            break;
        case FARTHEST:
            add_farthest(column, run, one, other, out);
            break;
        case KNOWN:
            add_known_squares(column, run, one, out, known);
            break;
        default:
            break;
        }
        column += run * SLICE_ROWS;
    }
    if (plan->unknown[query]) {
        rescale_slice((double)search->columns, search->farthest, known, out);
    }
}

Fault
load_training(Search *search, size_t first)
{
    Fault fault = load_block(search, first);
    for (size_t q = 0; fault.kind == FINE && !search->all_codes && q < search->asked; q++) {
        plan_query(search, q);
    }
    return fault;
}

int
is_plain(const Search *search, size_t query)
{
    return search->plan.plain[query];
}

/* --- mismatches ------------------------------------------------------------------------------------------------- */

/* Add a run of columns of one byte, at most 255. */
DISPATCHED static void
count_bytes(const uint8_t *restrict column, size_t columns, const double *restrict value, uint8_t *restrict counts)
{
    uint8_t count[SLICE_ROWS];
    memcpy(count, counts, SLICE_ROWS);
    for (size_t j = 0; j < columns; j++, column += SLICE_ROWS) {
        const uint8_t v = (uint8_t)value[j];
        for (size_t r = 0; r < SLICE_ROWS; r++) {
            count[r] += column[r] != v;
        }
    }
    memcpy(counts, count, SLICE_ROWS);
}

/* Add a column of several bytes. */
DISPATCHED static void
count_words(const uint8_t *restrict column, size_t width, uint32_t value, uint8_t *restrict counts)
{
    uint8_t differs[SLICE_ROWS] = {0};
    for (size_t b = 0; b < width; b++, column += SLICE_ROWS) {
        const uint8_t v = (uint8_t)(value >> 8 * b);
        for (size_t r = 0; r < SLICE_ROWS; r++) {
            differs[r] |= column[r] != v;
        }
    }
    for (size_t r = 0; r < SLICE_ROWS; r++) {
        counts[r] += differs[r];
    }
}

DISPATCHED static void
add_counts(const uint8_t *restrict counts, uint16_t *restrict out)
{
    for (size_t r = 0; r < SLICE_ROWS; r++) {
        out[r] += counts[r];
    }
}

/* Whether a value has a place in a column of so many bytes. */
static int
fits(double value, size_t width)
{
    return width >= 4 || value < (double)((uint32_t)1 << 8 * width);
}

/* Add the mismatches of the columns from `first` to `end`, at most 255, whose bytes start at `column`; returns where
 * they end. */
static const uint8_t *
count_columns(const Search *search, const double *value, const uint8_t *column, size_t first, size_t end,
              uint8_t *counts)
{
    const uint8_t *width = search->width;
    for (size_t j = first, next; j < end; column += (next - j) * width[j] * SLICE_ROWS, j = next) {
        next = j + 1;
        if (!fits(value[j], width[j])) {
            for (size_t r = 0; r < SLICE_ROWS; r++) {
                counts[r]++;
            }
        } else if (width[j] > 1) {
            count_words(column, width[j], (uint32_t)value[j], counts);
        } else {
            while (next < end && width[next] == 1 && fits(value[next], 1)) {
                next++;
            }
            count_bytes(column, next - j, value + j, counts);
        }
    }
    return column;
}

void
count_slice(const Search *search, size_t query, size_t offset, uint16_t *out)
{
    const double *value = search->value + query * search->columns;
    const uint8_t *column = search->bytes + offset * search->planes;
    memset(out, 0, SLICE_ROWS * sizeof *out);
    for (size_t j = 0, end; j < search->columns; j = end) {
        uint8_t counts[SLICE_ROWS] = {0};
        end = search->columns - j < UINT8_MAX ? search->columns : j + UINT8_MAX;
        column = count_columns(search, value, column, j, end, counts);
        add_counts(counts, out);
    }
}

void
count_slice_bytes(const Search *search, size_t query, size_t offset, uint8_t *out)
{
    memset(out, 0, SLICE_ROWS);
    count_columns(search, search->value + query * search->columns, search->bytes + offset * search->planes, 0,
                  search->columns, out);
}

/* --- squared_distances ------------------------------------------------------------------------------------------ */

/* The result: (queries, rows) doubles, bytes or pairs of bytes. */
typedef struct {
    Py_buffer buffer;
    int open;
} Table;

static int
open_table(PyObject *object, const Search *search, Table *table)
{
    if (PyObject_GetBuffer(object, &table->buffer, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | PyBUF_WRITABLE) < 0) {
        return -1;
    }
    table->open = 1;
    const Py_buffer *buffer = &table->buffer;
    if (buffer->ndim != 2 || (size_t)buffer->shape[0] != search->queries || (size_t)buffer->shape[1] != search->rows) {
        PyErr_Format(PyExc_ValueError, "out: expected (%zu, %zu) distances", search->queries, search->rows);
        return -1;
    }
    const char *expected = !search->all_codes ? "d" : search->columns <= UINT8_MAX ? "B" : "H";
    if (buffer->format == NULL || strcmp(buffer->format, expected) != 0 ||
        (uintptr_t)buffer->buf % (size_t)buffer->itemsize != 0) {
        PyErr_Format(PyExc_TypeError, "out: expected the format %s", expected);
        return -1;
    }
    return 0;
}

static void
write_slice(const Search *search, size_t query, size_t offset, size_t place, const Table *table)
{
    size_t rows = search->loaded - offset < SLICE_ROWS ? search->loaded - offset : SLICE_ROWS;
    if (!search->all_codes) {
        double distance[SLICE_ROWS];
        measure_slice(search, query, offset, distance);
        memcpy((double *)table->buffer.buf + place, distance, rows * sizeof *distance);
        return;
    }
    uint16_t count[SLICE_ROWS];
    count_slice(search, query, offset, count);
    if (table->buffer.itemsize == 2) {
        memcpy((uint16_t *)table->buffer.buf + place, count, rows * sizeof *count);
        return;
    }
    uint8_t *to = (uint8_t *)table->buffer.buf + place;
    for (size_t r = 0; r < rows; r++) {
        to[r] = (uint8_t)count[r];
    }
}

static Fault
write_distances(Search *search, const Table *table)
{
    Fault fault = start_search(search, SLICE_ROWS);
    for (size_t first = 0; fault.kind == FINE && first < search->queries; first += search->tile) {
        size_t left = search->queries - first, count = left < search->tile ? left : search->tile;
        fault = load_queries(search, first, count);
        for (size_t row = 0; fault.kind == FINE && row < search->rows; row += search->block) {
            fault = load_training(search, row);
            for (size_t offset = 0; fault.kind == FINE && offset < search->loaded; offset += SLICE_ROWS) {
                for (size_t q = 0; q < count; q++) {
                    write_slice(search, q, offset, (first + q) * search->rows + row + offset, table);
                }
            }
        }
    }
    return fault;
}

/* squared_distances(queries, training, bounds, farthest, rescale, out): fills the distances. */
PyObject *
kernel_squared_distances(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *queries, *training, *bounds, *out, *result = NULL;
    double farthest;
    int rescale;
    if (!PyArg_ParseTuple(arguments, "O!O!OdpO:squared_distances", &PyTuple_Type, &queries, &PyTuple_Type, &training,
                          &bounds, &farthest, &rescale, &out)) {
        return NULL;
    }
    Search search;
    Table table = {.open = 0};
    Fault fault;
    if (open_search(queries, training, bounds, farthest, rescale, &search) < 0 ||
        open_table(out, &search, &table) < 0) {
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    fault = write_distances(&search, &table);
    Py_END_ALLOW_THREADS
    if (fault.kind != FINE) {
        raise_fault(fault);
        goto done;
    }
    result = Py_NewRef(Py_None);
done:
    if (table.open) {
        PyBuffer_Release(&table.buffer);
    }
    close_search(&search);
    return result;
}
