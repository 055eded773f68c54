/* The candidates of a tile of queries, from which the nearest rows of each are selected.
 *
 * The candidates of a query are the distances within a limit that only falls: when their memory is full, the k-th
 * smallest of them becomes the limit, and what lies beyond is dropped. Most distances are then told apart by one
 * comparison of many at a time. Candidates stay in the order of the rows until they are sorted, stably, at the end.
 */
#ifndef NBFRAMEWORK_NEIGHBOURS_H
#define NBFRAMEWORK_NEIGHBOURS_H

#include "kernels.h"

#define MOST_QUERIES 64 /* of a tile */
#define GROUP 8         /* pairs of bytes that are looked at together */

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
    size_t queries;
    size_t rows;
    size_t tile; /* most queries at a time, at most MOST_QUERIES */
    int tallies; /* whether mismatches are counted in bytes */
    Candidates *candidates; /* (MOST_QUERIES,) */
    Integers given;         /* the row that is left out for each query, where there are such */
    size_t left_out[MOST_QUERIES];
    double *scratch; /* as many as the largest capacity, twice */
    size_t *row_scratch;
    size_t scratch_size;
} Selection;

/* neighbours_tiles.c: open what is asked for; `columns` is the number of columns where all are codes, 0 otherwise. -1
 * with an exception. */
int open_selection(Py_ssize_t k, double tolerance, PyObject *left_out, size_t queries, size_t rows, size_t columns,
                   Selection *selection);
void close_selection(Selection *selection);

/* Select from the distances that `add` adds to the candidates, tile by tile, without the interpreter lock; returns
 * borders, rows and distances, or NULL with an exception. */
typedef Fault (*TileVisitor)(Selection *selection, size_t first, size_t count, void *context);
PyObject *select_in_tiles(Selection *selection, TileVisitor add, void *context);

/* neighbours_add.c: add the distances of up to SLICE_ROWS rows from `first` on to the candidates of a query; there is
 * memory for as many whatever they are. -1 where memory ran out. */
int add_distances(Selection *selection, size_t query, const double *near, size_t first, size_t count);
int add_counts(Selection *selection, size_t query, const uint16_t *near, size_t first, size_t count);
int add_bytes(Selection *selection, size_t query, const uint8_t *near, size_t first, size_t count);

/* neighbours_limit.c: drop what is beyond the limit, lower it to the k-th candidate, make room for more, and sort; -1
 * where memory ran out. */
void drop_beyond_limit(Candidates *candidates);
int compact(Selection *selection, Candidates *candidates);
int grow(Selection *selection, Candidates *candidates, size_t more);
int sort_candidates(Selection *selection, Candidates *candidates);

static inline int
make_room(Selection *selection, Candidates *candidates, size_t more)
{
    return candidates->count + more <= candidates->capacity ? 0 : grow(selection, candidates, more);
}

#endif
