/* A block of rows of one class, whose pairs of values are counted. */
#ifndef NBFRAMEWORK_PAIRS_H
#define NBFRAMEWORK_PAIRS_H

#include "tables.h"

#define MOST_ROWS 8192  /* of a block */
#define WORD 64         /* rows of a word of bits */
#define MOST_VALUES 512 /* WIDE_INCREMENT * WORD: more values are never cheaper by bits */

/* What is known of a column in a block of rows. */
typedef struct {
    size_t values;   /* how many values it has */
    size_t explicit; /* how many of them have rows of bits, 0 where there are none */
    uint32_t *code;
    uint64_t *bits;
    uint32_t *margin;
} Column;

typedef struct {
    size_t most; /* rows of a block, a multiple of WORD */
    uint32_t *group;
    size_t *row;
    uint8_t *plane;
    uint32_t *order;
    size_t *border;
    Column *column;
    uint32_t *code;
    uint64_t *bits;
    uint32_t *margin;
    size_t taken[MOST_ROWS];
    double weight[MOST_ROWS];
    uint32_t pair[2 * (MOST_VALUES + 1)];
} Buffers;

/* Count the rows of one class that `order` lists, each as `unit` or as its weight. */
Fault count_block(const Table *table, size_t c, size_t start, const uint32_t *order, size_t count, double unit,
                  int weighted, Buffers *buffers);

#endif
