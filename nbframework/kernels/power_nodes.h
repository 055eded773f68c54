/* The sums of a few powers of many numbers, from which those of many evenly spaced ones are interpolated.
 *
 * The first power of a row times the factor^e is its power e. From node to node it is multiplied by a power of the
 * factor, which is a line of its own; a block of sums stays in registers while the chunk goes by.
 */
#ifndef NBFRAMEWORK_POWER_NODES_H
#define NBFRAMEWORK_POWER_NODES_H

#include "power_grid.h"

#include <math.h>

#define NODES 9        /* in a block */
#define MOST_GAP 32    /* between two nodes */
#define ROUNDING 2e-15 /* error of a sum of powers, relative to it */
#define ALLOWED 5e-13  /* error of an interpolated sum, relative to it */

/* How to interpolate: node j is the exponent that lies gap[j] above that of the node before. */
typedef struct {
    size_t count;               /* 0 where sums are not interpolated */
    size_t padded;              /* a multiple of NODES; what is beyond the count is computed and not used */
    uint8_t *gap;               /* (padded,) */
    size_t widest;              /* gap */
    const double *coefficients; /* (count, exponents) */
    double error;               /* of an interpolated power at most, but for rounding */
} Interpolation;

typedef struct {
    _Alignas(64) double line[MOST_GAP + 1][LINE_LENGTH]; /* powers of the factor */
    _Alignas(64) double power[LINE_LENGTH];              /* of the node before a block */
} NodeLines;

/* Numbers without those that add nothing, so that nothing becomes denormal. */
#if defined(__GNUC__)
#define WITHOUT_TINY(VECTOR, numbers, tiny) ((VECTOR)((__typeof__((numbers) > (tiny)))(numbers) & ((numbers) > (tiny))))
#else
#define WITHOUT_TINY(VECTOR, numbers, tiny) ((numbers) > (tiny) ? (numbers) : 0.0)
#endif

/* Fill the lines of powers of the factor, and add a block of nodes to their sums: it starts with the powers of the node
 * before, and leaves those of its last one behind. */
#define NODE_FUNCTIONS(FILL, ADD, VECTOR)                                                                             \
    INLINE void FILL(NodeLines *lines, const double *factor, size_t widest)                                           \
    {                                                                                                                 \
        for (size_t i = 0; i < CHUNK; i += sizeof(VECTOR) / sizeof(double)) {                                         \
            const VECTOR one = *(const VECTOR *)&factor[i];                                                           \
            VECTOR power = one;                                                                                       \
            for (size_t gap = 1; gap <= widest; gap++, power *= one) {                                                \
                *(VECTOR *)&lines->line[gap][i] = power;                                                              \
            }                                                                                                         \
        }                                                                                                             \
    }                                                                                                                 \
    INLINE void ADD(NodeLines *lines, const double *before, const uint8_t *gap, double tiny, double *sums)            \
    {                                                                                                                 \
        VECTOR sum[NODES] = {{0}};                                                                                    \
        const double *line[NODES];                                                                                    \
        for (size_t j = 0; j < NODES; j++) {                                                                          \
            line[j] = lines->line[gap[j]];                                                                            \
        }                                                                                                             \
        for (size_t i = 0; i < CHUNK; i += sizeof(VECTOR) / sizeof(double)) {                                         \
            VECTOR power = *(const VECTOR *)&before[i];                                                               \
            power = WITHOUT_TINY(VECTOR, power, tiny);                                                                \
            for (size_t j = 0; j < NODES; j++) {                                                                      \
                power *= *(const VECTOR *)&line[j][i];                                                                \
                sum[j] += power;                                                                                      \
            }                                                                                                         \
            *(VECTOR *)&lines->power[i] = power;                                                                      \
        }                                                                                                             \
        for (size_t j = 0; j < NODES; j++) {                                                                          \
            *(VECTOR *)&sums[j * SUM_LANES] += sum[j];                                                                \
        }                                                                                                             \
    }

NODE_FUNCTIONS(fill_node_lines, add_node_block, Lanes)
NODE_FUNCTIONS(fill_wide_node_lines, add_wide_node_block, WideLanes)

/* Add the first powers of a chunk, times powers of the factor, to the sums of the nodes. */
INLINE void
add_power_nodes(NodeLines *lines, const Interpolation *nodes, const double *power, const double *factor, double tiny,
                int wide, double *sums)
{
    if (wide) {
        fill_wide_node_lines(lines, factor, nodes->widest);
    } else {
        fill_node_lines(lines, factor, nodes->widest);
    }
    for (size_t first = 0; first < nodes->padded; first += NODES, power = lines->power) {
        if (wide) {
            add_wide_node_block(lines, power, nodes->gap + first, tiny, sums + first * SUM_LANES);
        } else {
            add_node_block(lines, power, nodes->gap + first, tiny, sums + first * SUM_LANES);
        }
    }
}

/* The zeroth power of any factor. */
INLINE void
open_node_lines(NodeLines *lines)
{
    for (size_t i = 0; i < CHUNK; i++) {
        lines->line[0][i] = 1.0;
    }
}

/* Interpolate the sums of all exponents from those of the nodes over so many rows, with `size` for work; 0 where one of
 * them might be wrong by more than ALLOWED. */
INLINE int
interpolate(const Interpolation *nodes, const double *node_sums, size_t rows, size_t exponents,
            double *restrict sums, double *restrict size)
{
    int exact = 1;
    memset(sums, 0, exponents * sizeof *sums);
    memset(size, 0, exponents * sizeof *size);
    for (size_t j = 0; j < nodes->count; j++) {
        const double *coefficient = nodes->coefficients + j * exponents, sum = node_sums[j];
        for (size_t e = 0; e < exponents; e++) {
            double term = coefficient[e] * sum;
            sums[e] += term;
            size[e] += fabs(term);
        }
    }
    for (size_t e = 0; e < exponents; e++) {
        exact &= nodes->error * (double)rows + ROUNDING * size[e] <= ALLOWED * sums[e];
    }
    return exact;
}

#endif
