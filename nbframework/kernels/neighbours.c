/* nearest_rows and smallest: the k smallest of many distances, and all that equal the k-th.
 *
 * The candidates of a query are the distances within a limit that only falls: when their memory is full, the k-th
 * smallest of them becomes the limit, and what lies beyond is dropped. Most distances are then told apart by one
 * comparison of many at a time. Candidates stay in the order of the rows until they are sorted, stably, at the end.
 */

#include "distances.h"
#include "marks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TILE 64
#define GROUP 8
#define SPARE 128
#define SAMPLE 24
#define TILE_BYTES ((size_t)4 << 20)
#define FEW 24

/* The place of the lowest bit that is set. */
static inline size_t
lowest_bit(uint64_t bits)
{
#if defined(__GNUC__)
    return (size_t)__builtin_ctzll(bits);
#else
    size_t place = 0;
    for (; !(bits & 1); bits >>= 1) {
        place++;
    }
    return place;
#endif
}

typedef struct {
    size_t count;
    size_t capacity;
    double limit;
    double *near;
    size_t *row;
    uint32_t *tally; /* how many candidates have each number of mismatches, where these are counted in bytes */
    size_t within;   /* how many have at most the limit */
} Candidates;

typedef struct {
    size_t k;
    double tolerance;
    size_t tile;
    int tallies; /* whether mismatches are counted in bytes */
    Candidates *candidates;
    size_t left_out[TILE];
    double *scratch; /* as many as the largest capacity, twice */
    size_t *row_scratch;
    size_t scratch_size;
} Selection;

/* --- selection -------------------------------------------------------------------------------------------------- */

static double
median_of_three(double a, double b, double c)
{
    if (a > b) {
        double swap = a;
        a = b;
        b = swap;
    }
    return c < a ? a : c > b ? b : c;
}

/* The k-th smallest number, k at least 1; reorders them. */
static double
kth_smallest(double *numbers, size_t count, size_t k)
{
    size_t low = 0, high = count - 1, place = k - 1;
    while (low < high) {
        double pivot = median_of_three(numbers[low], numbers[low + (high - low) / 2], numbers[high]);
        size_t i = low, j = high;
        for (;;) {
            while (numbers[i] < pivot) {
                i++;
            }
            while (numbers[j] > pivot) {
                j--;
            }
            if (i >= j) {
                break;
            }
            double swap = numbers[i];
            numbers[i++] = numbers[j];
            numbers[j--] = swap;
        }
        if (place <= j) {
            high = j;
        } else {
            low = j + 1;
        }
    }
    return numbers[place];
}

static int
reserve_scratch(Selection *selection, size_t count)
{
    if (selection->scratch_size < count) {
        free(selection->scratch);
        free(selection->row_scratch);
        selection->scratch = malloc(count * sizeof *selection->scratch);
        selection->row_scratch = malloc(count * sizeof *selection->row_scratch);
        selection->scratch_size = selection->scratch != NULL && selection->row_scratch != NULL ? count : 0;
    }
    return selection->scratch_size >= count ? 0 : -1;
}

/* Drop the candidates beyond the limit. */
static void
drop_beyond_limit(Candidates *candidates)
{
    size_t kept = 0;
    for (size_t i = 0; i < candidates->count; i++) {
        double near = candidates->near[i];
        candidates->near[kept] = near;
        candidates->row[kept] = candidates->row[i];
        kept += near <= candidates->limit;
    }
    candidates->count = kept;
}

/* Lower the limit to what equals a distance that at least k do not exceed, and drop the candidates beyond it. */
static void
lower_limit(const Selection *selection, Candidates *candidates, double distance)
{
    candidates->limit = distance * (1.0 + selection->tolerance);
    drop_beyond_limit(candidates);
}

/* Lower the limit to the k-th candidate. */
static int
compact(Selection *selection, Candidates *candidates)
{
    if (candidates->count <= selection->k) {
        return 0;
    }
    if (reserve_scratch(selection, candidates->count) < 0) {
        return -1;
    }
    memcpy(selection->scratch, candidates->near, candidates->count * sizeof *candidates->near);
    lower_limit(selection, candidates, kth_smallest(selection->scratch, candidates->count, selection->k));
    return 0;
}

DISPATCHED static size_t
count_within(const double *near, size_t count, double limit)
{
    uint64_t within = 0;
    for (size_t i = 0; i < count; i++) {
        within += near[i] <= limit ? 1 : 0;
    }
    return (size_t)within;
}

/* Lower the limit to one of a few candidates that at least k do not exceed: cheaper than the k-th. */
static void
compact_roughly(const Selection *selection, Candidates *candidates)
{
    double sample[SAMPLE];
    size_t step = candidates->count / SAMPLE, place = selection->k / (step > 0 ? step : 1) + 1;
    for (size_t i = 0; i < SAMPLE && step > 0; i++) {
        double one = candidates->near[i * step];
        size_t j = i;
        for (; j > 0 && sample[j - 1] > one; j--) {
            sample[j] = sample[j - 1];
        }
        sample[j] = one;
    }
    for (; place < SAMPLE && step > 0; place++) {
        if (count_within(candidates->near, candidates->count, sample[place]) >= selection->k) {
            lower_limit(selection, candidates, sample[place]);
            return;
        }
    }
}

static int
make_room(Selection *selection, Candidates *candidates, size_t more)
{
    if (candidates->count + more <= candidates->capacity) {
        return 0;
    }
    if (selection->tallies) {
        drop_beyond_limit(candidates);
    } else {
        compact_roughly(selection, candidates);
        if (candidates->count > candidates->capacity / 2 && compact(selection, candidates) < 0) {
            return -1;
        }
    }
    if (candidates->count + more <= candidates->capacity / 4 * 3) {
        return 0;
    }
    size_t capacity = 2 * candidates->capacity + more;
    double *near = realloc(candidates->near, capacity * sizeof *near);
    candidates->near = near != NULL ? near : candidates->near;
    size_t *row = realloc(candidates->row, capacity * sizeof *row);
    candidates->row = row != NULL ? row : candidates->row;
    if (near == NULL || row == NULL) {
        return -1;
    }
    candidates->capacity = capacity;
    return 0;
}

/* Add those of up to GROUP rows that are within the limit, where there is room for all. */
static void
append(Candidates *candidates, const double *restrict distance, size_t first, size_t count, size_t left_out)
{
    double *restrict near = candidates->near, limit = candidates->limit;
    size_t *restrict row = candidates->row, total = candidates->count;
    for (size_t r = 0; r < count; r++) {
        near[total] = distance[r];
        row[total] = first + r;
        total += distance[r] <= limit && first + r != left_out;
    }
    candidates->count = total;
}

/* The marks without rows behind the last one, and without the row that is left out. */
static inline uint64_t
marks_that_count(uint64_t found, size_t first, size_t count, size_t left_out)
{
    if (count < WORD_ROWS) {
        found &= (UINT64_C(1) << count) - 1;
    }
    if (left_out - first < WORD_ROWS) {
        found &= ~(UINT64_C(1) << (left_out - first));
    }
    return found;
}

/* Add the distances of up to SLICE_ROWS rows; there is memory for as many whatever they are. */
static int
add_distances(Selection *selection, Candidates *candidates, const double *near, size_t first, size_t count,
              size_t left_out)
{
    for (size_t start = 0; start < count; start += WORD_ROWS) {
        uint64_t found = (HAS_WIDE ? mark_distances_widely : mark_distances)(near + start, candidates->limit);
        found = marks_that_count(found, first + start, count - start, left_out);
        if (found != 0 && make_room(selection, candidates, WORD_ROWS) < 0) {
            return -1;
        }
        for (; found != 0; found &= found - 1) {
            size_t r = start + lowest_bit(found), place = candidates->count++;
            candidates->near[place] = near[r];
            candidates->row[place] = first + r;
        }
    }
    return 0;
}

/* Mark, one bit for each group, where a number of mismatches is within the limit. */
DISPATCHED static uint64_t
scan_counts(const uint16_t *restrict near, size_t groups, uint16_t limit)
{
    uint64_t found = 0;
    for (size_t g = 0; g < groups; g++) {
        uint16_t hits = 0;
        for (size_t r = 0; r < GROUP; r++) {
            hits |= (uint16_t)(near[g * GROUP + r] <= limit);
        }
        found |= (uint64_t)(hits != 0) << g;
    }
    return found;
}

static int
add_counts(Selection *selection, Candidates *candidates, const uint16_t *near, size_t first, size_t count,
           size_t left_out)
{
    size_t groups = (count + GROUP - 1) / GROUP;
    uint16_t limit = candidates->limit < UINT16_MAX ? (uint16_t)candidates->limit : UINT16_MAX;
    uint64_t found = scan_counts(near, groups, limit);
    for (size_t g = 0; found >> g != 0 && g < groups; g++) {
        if (found >> g & 1) {
            if (make_room(selection, candidates, GROUP + 1) < 0) {
                return -1;
            }
            size_t start = g * GROUP, rows = count - start < GROUP ? count - start : GROUP;
            double wide[GROUP];
            for (size_t r = 0; r < rows; r++) {
                wide[r] = near[start + r];
            }
            append(candidates, wide, first + start, rows, left_out);
        }
    }
    return 0;
}

/* Add rows by their mismatches, each lowering the limit as far as k of them allow. */
static int
add_bytes(Selection *selection, Candidates *candidates, const uint8_t *near, size_t first, size_t count,
          size_t left_out)
{
    uint8_t bound = candidates->limit < UINT8_MAX ? (uint8_t)candidates->limit : UINT8_MAX;
    for (size_t start = 0; start < count; start += WORD_ROWS) {
        uint64_t found = (HAS_WIDE ? mark_bytes_widely : mark_bytes)(near + start, bound);
        found = marks_that_count(found, first + start, count - start, left_out);
        if (found != 0 && make_room(selection, candidates, WORD_ROWS) < 0) {
            return -1;
        }
        for (; found != 0; found &= found - 1) {
            size_t r = start + lowest_bit(found), place = candidates->count++;
            candidates->near[place] = near[r];
            candidates->row[place] = first + r;
            candidates->tally[near[r]]++;
            candidates->within += near[r] <= bound;
            while (candidates->within - candidates->tally[bound] >= selection->k) {
                candidates->within -= candidates->tally[bound--];
            }
        }
        candidates->limit = bound;
    }
    return 0;
}

/* Sort by distance, keeping the order of equal ones. */
static int
sort_candidates(Selection *selection, Candidates *candidates)
{
    size_t count = candidates->count;
    double *near = candidates->near;
    size_t *row = candidates->row;
    if (reserve_scratch(selection, count) < 0) {
        return -1;
    }
    for (size_t start = 0; start < count; start += FEW) {
        size_t end = count - start < FEW ? count : start + FEW;
        for (size_t i = start + 1; i < end; i++) {
            double one = near[i];
            size_t its_row = row[i], j = i;
            for (; j > start && near[j - 1] > one; j--) {
                near[j] = near[j - 1];
                row[j] = row[j - 1];
            }
            near[j] = one;
            row[j] = its_row;
        }
    }
    for (size_t width = FEW; width < count; width *= 2) {
        for (size_t start = 0; start < count && count - start > width; start += 2 * width) {
            size_t end = count - start < 2 * width ? count : start + 2 * width, left = width, i = 0, j = start + width;
            memcpy(selection->scratch, near + start, left * sizeof *near);
            memcpy(selection->row_scratch, row + start, left * sizeof *row);
            for (size_t to = start; i < left; to++) {
                if (j < end && near[j] < selection->scratch[i]) {
                    near[to] = near[j];
                    row[to] = row[j++];
                } else {
                    near[to] = selection->scratch[i];
                    row[to] = selection->row_scratch[i++];
                }
            }
        }
    }
    return 0;
}

/* --- tiles of queries ------------------------------------------------------------------------------------------- */

static int
start_selection(Selection *selection, size_t rows, size_t columns)
{
    /* mismatches are whole numbers, so that a small tolerance does not matter */
    selection->tallies = columns > 0 && columns < UINT8_MAX && selection->tolerance * (double)columns < 1.0;
    size_t spare = 3 * selection->k > SPARE ? 3 * selection->k : SPARE;
    size_t capacity = (selection->k < rows ? selection->k : rows) + (spare < rows ? spare : rows) + 2 * GROUP;
    size_t tile = TILE_BYTES / (capacity * (sizeof(double) + sizeof(size_t)));
    selection->tile = tile < 1 ? 1 : tile < TILE ? tile : TILE;
    selection->candidates = calloc(selection->tile, sizeof *selection->candidates);
    for (size_t q = 0; selection->candidates != NULL && q < selection->tile; q++) {
        Candidates *candidates = &selection->candidates[q];
        candidates->capacity = capacity;
        candidates->near = malloc(capacity * sizeof *candidates->near);
        candidates->row = malloc(capacity * sizeof *candidates->row);
        candidates->tally = malloc((selection->tallies ? UINT8_MAX + 1 : 1) * sizeof *candidates->tally);
        if (candidates->near == NULL || candidates->row == NULL || candidates->tally == NULL) {
            return -1;
        }
    }
    return selection->candidates != NULL ? 0 : -1;
}

static void
end_selection(Selection *selection)
{
    for (size_t q = 0; selection->candidates != NULL && q < selection->tile; q++) {
        free(selection->candidates[q].near);
        free(selection->candidates[q].row);
        free(selection->candidates[q].tally);
    }
    free(selection->candidates);
    free(selection->scratch);
    free(selection->row_scratch);
}

static Fault
start_tile(Selection *selection, const Integers *left_out, size_t first, size_t count, size_t rows)
{
    for (size_t q = 0; q < count; q++) {
        selection->candidates[q].count = 0;
        selection->candidates[q].limit = selection->tallies ? UINT8_MAX : INFINITY;
        selection->candidates[q].within = 0;
        if (selection->tallies) {
            memset(selection->candidates[q].tally, 0, (UINT8_MAX + 1) * sizeof *selection->candidates[q].tally);
        }
        selection->left_out[q] = SIZE_MAX;
    }
    if (left_out != NULL) {
        size_t good = load_optional_rows(left_out, first, count, rows, selection->left_out);
        if (good < count) {
            return (Fault){BAD_LEFT_OUT, 0, first + good};
        }
    }
    return (Fault){FINE, 0, 0};
}

static Fault
end_tile(Selection *selection, size_t count)
{
    for (size_t q = 0; q < count; q++) {
        if (selection->tallies) {
            drop_beyond_limit(&selection->candidates[q]);
        } else if (compact(selection, &selection->candidates[q]) < 0) {
            return (Fault){NO_MEMORY, 0, 0};
        }
        if (sort_candidates(selection, &selection->candidates[q]) < 0) {
            return (Fault){NO_MEMORY, 0, 0};
        }
    }
    return (Fault){FINE, 0, 0};
}

static int
search_slice(Search *search, Selection *selection, size_t q, size_t offset)
{
    Candidates *candidates = &selection->candidates[q];
    size_t rows = search->loaded - offset < SLICE_ROWS ? search->loaded - offset : SLICE_ROWS;
    size_t first = search->first + offset;
    if (selection->tallies) {
        _Alignas(64) uint8_t mismatches[SLICE_ROWS];
        count_slice_bytes(search, q, offset, mismatches);
        return add_bytes(selection, candidates, mismatches, first, rows, selection->left_out[q]);
    }
    if (search->all_codes) {
        _Alignas(64) uint16_t count[SLICE_ROWS];
        count_slice(search, q, offset, count);
        return add_counts(selection, candidates, count, first, rows, selection->left_out[q]);
    }
    _Alignas(64) double distance[SLICE_ROWS];
    measure_slice(search, q, offset, distance);
    return add_distances(selection, candidates, distance, first, rows, selection->left_out[q]);
}

static Fault
search_tile(Search *search, Selection *selection, const Integers *left_out, size_t first, size_t count)
{
    Fault fault = start_tile(selection, left_out, first, count, search->rows);
    if (fault.kind == FINE) {
        fault = load_queries(search, first, count);
    }
    for (size_t row = 0; fault.kind == FINE && row < search->rows; row += search->block) {
        fault = load_training(search, row);
        for (size_t offset = 0; fault.kind == FINE && offset < search->loaded; offset += SLICE_ROWS) {
            for (size_t q = 0; q < count; q++) {
                if (search_slice(search, selection, q, offset) < 0) {
                    return (Fault){NO_MEMORY, 0, 0};
                }
            }
        }
    }
    return fault.kind == FINE ? end_tile(selection, count) : fault;
}

/* --- results ---------------------------------------------------------------------------------------------------- */

/* Byte arrays that grow, with the interpreter lock held. */
typedef struct {
    PyObject *start;
    PyObject *row;
    PyObject *near;
} Found;

static int
open_found(size_t queries, Found *found)
{
    size_t zero = 0;
    found->start = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)((queries + 1) * sizeof(size_t)));
    found->row = PyByteArray_FromStringAndSize(NULL, 0);
    found->near = PyByteArray_FromStringAndSize(NULL, 0);
    if (found->start == NULL || found->row == NULL || found->near == NULL) {
        return -1;
    }
    memcpy(PyByteArray_AsString(found->start), &zero, sizeof zero);
    return 0;
}

static void
close_found(Found *found)
{
    Py_XDECREF(found->start);
    Py_XDECREF(found->row);
    Py_XDECREF(found->near);
}

static int
append_tile(const Selection *selection, size_t first, size_t count, Found *found)
{
    size_t old = (size_t)PyByteArray_Size(found->row) / sizeof(size_t), total = old;
    for (size_t q = 0; q < count; q++) {
        total += selection->candidates[q].count;
        memcpy(PyByteArray_AsString(found->start) + (first + q + 1) * sizeof total, &total, sizeof total);
    }
    if (PyByteArray_Resize(found->row, (Py_ssize_t)(total * sizeof(size_t))) < 0 ||
        PyByteArray_Resize(found->near, (Py_ssize_t)(total * sizeof(double))) < 0) {
        return -1;
    }
    char *row = PyByteArray_AsString(found->row) + old * sizeof(size_t);
    char *near = PyByteArray_AsString(found->near) + old * sizeof(double);
    for (size_t q = 0; q < count; q++) {
        const Candidates *candidates = &selection->candidates[q];
        memcpy(row, candidates->row, candidates->count * sizeof(size_t));
        memcpy(near, candidates->near, candidates->count * sizeof(double));
        row += candidates->count * sizeof(size_t);
        near += candidates->count * sizeof(double);
    }
    return 0;
}

/* Check the parameters of both kernels and open what is left out. */
static int
open_selection(Py_ssize_t k, double tolerance, PyObject *left_out, size_t queries, Selection *selection,
               Integers *out)
{
    if (k < 1) {
        PyErr_Format(PyExc_ValueError, "k: expected at least 1, found %zd", k);
        return -1;
    }
    if (!(tolerance >= 0.0 && isfinite(tolerance))) {
        PyErr_SetString(PyExc_ValueError, "tolerance: expected a finite number of at least 0");
        return -1;
    }
    selection->k = (size_t)k;
    selection->tolerance = tolerance;
    if (left_out == Py_None) {
        return 0;
    }
    if (open_integers(left_out, "left_out", out) < 0) {
        return -1;
    }
    if (out->length != queries) {
        PyErr_Format(PyExc_ValueError, "left_out: expected %zu, one for each query, found %zu", queries, out->length);
        return -1;
    }
    return 0;
}

/* nearest_rows(queries, training, bounds, farthest, rescale, k, tolerance, left_out or None). */
PyObject *
kernel_nearest_rows(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *queries, *training, *bounds, *left_out, *result = NULL;
    double farthest, tolerance;
    int rescale;
    Py_ssize_t k;
    if (!PyArg_ParseTuple(arguments, "O!O!OdpndO:nearest_rows", &PyTuple_Type, &queries, &PyTuple_Type, &training,
                          &bounds, &farthest, &rescale, &k, &tolerance, &left_out)) {
        return NULL;
    }
    Search search;
    Selection selection = {0};
    Integers out = {.open = 0};
    Found found = {NULL, NULL, NULL};
    Fault fault = {FINE, 0, 0};
    if (open_search(queries, training, bounds, farthest, rescale, &search) < 0 ||
        open_selection(k, tolerance, left_out, search.queries, &selection, &out) < 0 ||
        open_found(search.queries, &found) < 0) {
        goto done;
    }
    if (start_selection(&selection, search.rows, search.all_codes ? search.columns : 0) < 0) {
        PyErr_NoMemory();
        goto done;
    }
    fault = start_search(&search, selection.tile);
    for (size_t first = 0; fault.kind == FINE && first < search.queries; first += search.tile) {
        size_t left = search.queries - first, count = left < search.tile ? left : search.tile;
        Py_BEGIN_ALLOW_THREADS
        fault = search_tile(&search, &selection, out.open ? &out : NULL, first, count);
        Py_END_ALLOW_THREADS
        if (fault.kind == FINE && append_tile(&selection, first, count, &found) < 0) {
            goto done;
        }
    }
    if (fault.kind != FINE) {
        raise_fault(fault);
        goto done;
    }
    result = PyTuple_Pack(3, found.start, found.row, found.near);
done:
    close_found(&found);
    end_selection(&selection);
    close_integers(&out);
    close_search(&search);
    return result;
}

/* --- smallest --------------------------------------------------------------------------------------------------- */

/* A table of doubles whose rows are dense. */
typedef struct {
    Py_buffer buffer;
    int open;
    size_t queries;
    size_t rows;
} Table;

static int
open_table(PyObject *object, Table *table)
{
    if (PyObject_GetBuffer(object, &table->buffer, PyBUF_STRIDES | PyBUF_FORMAT) < 0) {
        return -1;
    }
    table->open = 1;
    const Py_buffer *buffer = &table->buffer;
    if (buffer->format == NULL || strcmp(buffer->format, "d") != 0 ||
        (uintptr_t)buffer->buf % sizeof(double) != 0) {
        PyErr_SetString(PyExc_TypeError, "distance: expected native float64");
        return -1;
    }
    if (buffer->ndim != 2) {
        PyErr_Format(PyExc_ValueError, "distance: expected two dimensions, found %d", buffer->ndim);
        return -1;
    }
    table->queries = (size_t)buffer->shape[0];
    table->rows = (size_t)buffer->shape[1];
    if ((table->rows > 1 && buffer->strides[1] != (Py_ssize_t)sizeof(double)) ||
        buffer->strides[0] % (Py_ssize_t)sizeof(double) != 0) {
        PyErr_SetString(PyExc_ValueError, "distance: expected the distances of a query side by side");
        return -1;
    }
    return 0;
}

static Fault
select_tile(const Table *table, Selection *selection, const Integers *left_out, size_t first, size_t count)
{
    double last[SLICE_ROWS];
    Fault fault = start_tile(selection, left_out, first, count, table->rows);
    for (size_t q = 0; fault.kind == FINE && q < count; q++) {
        const char *line = (const char *)table->buffer.buf + (ptrdiff_t)(first + q) * table->buffer.strides[0];
        for (size_t row = 0; row < table->rows; row += SLICE_ROWS) {
            size_t rows = table->rows - row < SLICE_ROWS ? table->rows - row : SLICE_ROWS;
            const double *near = (const double *)line + row;
            if (rows < SLICE_ROWS) {
                memset(last, 0, sizeof last);
                near = memcpy(last, near, rows * sizeof *near);
            }
            if (add_distances(selection, &selection->candidates[q], near, row, rows, selection->left_out[q]) < 0) {
                return (Fault){NO_MEMORY, 0, 0};
            }
        }
    }
    return fault.kind == FINE ? end_tile(selection, count) : fault;
}

/* smallest(distance, k, tolerance, left_out or None). */
PyObject *
kernel_smallest(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *distance, *left_out, *result = NULL;
    double tolerance;
    Py_ssize_t k;
    if (!PyArg_ParseTuple(arguments, "OndO:smallest", &distance, &k, &tolerance, &left_out)) {
        return NULL;
    }
    Table table = {.open = 0};
    Selection selection = {0};
    Integers out = {.open = 0};
    Found found = {NULL, NULL, NULL};
    Fault fault = {FINE, 0, 0};
    if (open_table(distance, &table) < 0 ||
        open_selection(k, tolerance, left_out, table.queries, &selection, &out) < 0 ||
        open_found(table.queries, &found) < 0) {
        goto done;
    }
    if (start_selection(&selection, table.rows, 0) < 0) {
        PyErr_NoMemory();
        goto done;
    }
    for (size_t first = 0; fault.kind == FINE && first < table.queries; first += selection.tile) {
        size_t left = table.queries - first, count = left < selection.tile ? left : selection.tile;
        Py_BEGIN_ALLOW_THREADS
        fault = select_tile(&table, &selection, out.open ? &out : NULL, first, count);
        Py_END_ALLOW_THREADS
        if (fault.kind == FINE && append_tile(&selection, first, count, &found) < 0) {
            goto done;
        }
    }
    if (fault.kind != FINE) {
        raise_fault(fault);
        goto done;
    }
    result = PyTuple_Pack(3, found.start, found.row, found.near);
done:
    close_found(&found);
    end_selection(&selection);
    close_integers(&out);
    if (table.open) {
        PyBuffer_Release(&table.buffer);
    }
    return result;
}
