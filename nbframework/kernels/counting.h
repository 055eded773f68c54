/* The parts of class_counts: a chunk of rows, and columns that are counted together in a joint table. */
#ifndef NBFRAMEWORK_COUNTING_H
#define NBFRAMEWORK_COUNTING_H

#include "tables.h"

#define MOST_KEYS 6144 /* cells of a joint table, which stays in the first cache */

/* The buffers: classes and row indexes of a chunk, codes and keys of a block in it, and the joint tables. */
typedef struct {
    uint32_t *group;
    uint16_t *narrow; /* the same, where a joint table may be made */
    size_t *rows;
    uint32_t code[BLOCK_ROWS];
    uint16_t key[BLOCK_ROWS];
    uint16_t half[2 * MOST_KEYS];
    uint32_t joint[MOST_KEYS];
    uint32_t margin[MOST_KEYS];
} Buffers;

/* counting.c: load the codes of one block; `start` is the chunk's first row, `first` the block's place in the chunk. */
Fault load_block(const Table *table, size_t j, size_t start, size_t first, size_t count, Buffers *buffers);

/* counting_joint.c: how many columns from column j on are counted together, 0 where column j is counted in place; and
 * count them. */
size_t joined_columns(const Table *table, size_t j, size_t chunk);
Fault count_jointly(const Table *table, size_t j, size_t joined, size_t start, size_t count, Buffers *buffers);

#endif
