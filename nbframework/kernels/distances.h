/* Squared distances between queries and training rows, made block by block for the kernels that select or add up.
 *
 * Training rows are copied to blocks of slices that stay in the first cache: numbers, and codes as numbers, column by
 * column. The sums of a slice take up a few columns at a time, in their order. Where all columns are codes, their bytes
 * are compared instead and mismatches counted in bytes.
 *
 * Usage: open_search with the interpreter lock; then, without it, start_search, and for each tile of queries
 * visit_slices, whose visitor calls measure_slice or, where all columns are codes, count_slice. close_search with the
 * lock.
 */
#ifndef NBFRAMEWORK_DISTANCES_H
#define NBFRAMEWORK_DISTANCES_H

#include "kernels.h"

#define SLICE_ROWS 128 /* rows whose distances are made at a time */
#define HAS_UNKNOWN 1
#define HAS_OUTSIDE 2

/* A column of queries or of training rows. */
typedef struct {
    int is_code;
    Integers codes;
    Doubles numbers;
} Side;

/* How the loaded queries are compared with the loaded rows: (tile, columns) each. */
typedef struct {
    uint8_t *kind;   /* the term that a column adds */
    uint8_t *run;    /* how many columns from here on add the same one, at most RUN_COLUMNS */
    double *one;     /* what a term depends on besides the training value */
    double *other;
    uint8_t *unknown; /* (tile,) whether numbers are unknown on either side */
    double *known;   /* (tile,) columns that are known in the query */
    uint8_t *plain;  /* (tile,) whether all columns add squares */
} Plan;

typedef struct {
    size_t columns;
    size_t queries;
    size_t rows;
    Side *query;
    Side *row;
    Doubles bounds;
    double farthest;
    int rescale;
    int all_codes;
    size_t tile;   /* most queries that are loaded at a time */
    size_t block;  /* most training rows that are loaded at a time, a multiple of SLICE_ROWS */
    size_t first;  /* the first training row that is loaded */
    size_t loaded; /* how many are, 0 at first */
    size_t asked;  /* how many queries are loaded */
    double *value; /* (tile, columns) */
    Plan plan;
    void *memory;    /* of the training rows, as numbers or as bytes */
    double *numbers;
    uint8_t *bytes;
    size_t planes; /* bytes of a training row */
    uint8_t *width; /* bytes of each column */
    uint8_t *gaps; /* HAS_UNKNOWN and HAS_OUTSIDE: unknown numbers in the block, and such outside the bounds */
} Search;

/* distances_search.c: the columns and the memory of a search. */
int open_search(PyObject *queries, PyObject *training, PyObject *bounds, double farthest, int rescale, Search *search);
void close_search(Search *search);
Fault start_search(Search *search, size_t tile);

/* distances_load.c */
Fault load_queries(Search *search, size_t first, size_t count);
Fault load_training(Search *search, size_t first);

/* distances_squares.c: find out how a loaded query is compared with the rows of the block. */
void plan_query(Search *search, size_t query);

/* The distances of a loaded query to the SLICE_ROWS rows from `offset` on in the block; what lies behind the last row
 * means nothing. */
void measure_slice(const Search *search, size_t query, size_t offset, double *out);
void count_slice(const Search *search, size_t query, size_t offset, uint16_t *out);

/* The same where there are at most 255 columns. */
void count_slice_bytes(const Search *search, size_t query, size_t offset, uint8_t *out);

/* Whether all columns are numbers and known, in the loaded query and in the block. */
int is_plain(const Search *search, size_t query);

/* What is done with the distances of a loaded query to a slice; -1 where memory ran out. */
typedef int (*SliceVisitor)(const Search *search, size_t query, size_t offset, void *context);

/* Load a tile of queries, and visit all slices of the training rows with each of them. */
INLINE Fault
visit_slices(Search *search, size_t first, size_t count, SliceVisitor visit, void *context)
{
    Fault fault = load_queries(search, first, count);
    for (size_t row = 0; fault.kind == FINE && row < search->rows; row += search->block) {
        fault = load_training(search, row);
        for (size_t offset = 0; fault.kind == FINE && offset < search->loaded; offset += SLICE_ROWS) {
            for (size_t q = 0; q < count; q++) {
                if (visit(search, q, offset, context) < 0) {
                    return (Fault){NO_MEMORY, 0, 0};
                }
            }
        }
    }
    return fault;
}

#endif
