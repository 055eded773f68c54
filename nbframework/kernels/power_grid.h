/* The sums of evenly spaced powers of many numbers, as a product of two matrices.
 *
 * The power e = DOWN a + b of a row is its first power times factor^(DOWN a), which is a row of the one matrix, times
 * factor^b, which is a row of the other; the sum over the rows of a chunk is an entry of their product. A block of
 * entries stays in registers while the chunk goes by.
 */
#ifndef NBFRAMEWORK_POWER_GRID_H
#define NBFRAMEWORK_POWER_GRID_H

#include "fused.h"

#define CHUNK 256
#define LINE_LENGTH (CHUNK + 8) /* so that the same row of several lines is not in the same place of the cache */
#define SUM_LANES 8
#define DOWN 5
#define ACROSS 2
#define WIDE_ACROSS 5

typedef struct {
    _Alignas(64) double down[DOWN][LINE_LENGTH];
    _Alignas(64) double power[LINE_LENGTH]; /* the first line of a block */
    _Alignas(64) double step[LINE_LENGTH];  /* factor^DOWN, from line to line */
} PowerGrid;

/* Add a block of the product to the sums of its exponents, and leave the first line of the next block behind. */
#define GRID_BLOCK(NAME, VECTOR, LINES)                                                                               \
    INLINE void NAME(PowerGrid *grid, double *sums)                                                                   \
    {                                                                                                                 \
        VECTOR sum[LINES][DOWN] = {{{0}}};                                                                            \
        for (size_t i = 0; i < CHUNK; i += sizeof(VECTOR) / sizeof(double)) {                                         \
            const VECTOR step = *(const VECTOR *)&grid->step[i];                                                      \
            VECTOR power = *(const VECTOR *)&grid->power[i];                                                          \
            for (size_t a = 0; a < LINES; a++, power *= step) {                                                       \
                for (size_t b = 0; b < DOWN; b++) {                                                                   \
                    sum[a][b] += power * *(const VECTOR *)&grid->down[b][i];                                          \
                }                                                                                                     \
            }                                                                                                         \
            *(VECTOR *)&grid->power[i] = power;                                                                       \
        }                                                                                                             \
        for (size_t a = 0; a < LINES; a++) {                                                                          \
            for (size_t b = 0; b < DOWN; b++) {                                                                       \
                *(VECTOR *)&sums[(a * DOWN + b) * SUM_LANES] += sum[a][b];                                            \
            }                                                                                                         \
        }                                                                                                             \
    }

GRID_BLOCK(add_grid_block, Lanes, ACROSS)
GRID_BLOCK(add_grid_line, Lanes, 1)
GRID_BLOCK(add_wide_block, WideLanes, WIDE_ACROSS)
GRID_BLOCK(add_wide_line, WideLanes, 1)

/* Drop what adds nothing, so that nothing becomes denormal. */
INLINE void
drop_tiny(double *power, double tiny)
{
    for (size_t i = 0; i < CHUNK; i++) {
        power[i] = power[i] > tiny ? power[i] : 0.0;
    }
}

/* Fill the lines of powers of the factor, and the step. */
INLINE void
fill_lines(PowerGrid *grid, const double *factor, double tiny)
{
    for (size_t i = 0; i < CHUNK; i++) {
        double one = factor[i], two = one * one, three = two * one, four = two * two;
        grid->down[0][i] = 1.0;
        grid->down[1][i] = one > tiny ? one : 0.0;
        grid->down[2][i] = two > tiny ? two : 0.0;
        grid->down[3][i] = three > tiny ? three : 0.0;
        grid->down[4][i] = four > tiny ? four : 0.0;
        grid->step[i] = four * one;
    }
}

/* Add the first powers of a chunk, times factor^e, to the sums of the exponents e, as many as make whole lines. */
INLINE void
add_power_grid(PowerGrid *grid, const double *power, const double *factor, double tiny, size_t exponents, int wide,
               double *sums)
{
    const size_t most = wide ? WIDE_ACROSS : ACROSS;
    size_t lines = (exponents + DOWN - 1) / DOWN;
    memcpy(grid->power, power, CHUNK * sizeof *power);
    fill_lines(grid, factor, tiny);
    for (size_t first = 0, added; first < lines; first += added, sums += added * DOWN * SUM_LANES) {
        drop_tiny(grid->power, tiny);
        added = lines - first < most ? 1 : most;
        if (added == 1 && wide) {
            add_wide_line(grid, sums);
        } else if (added == 1) {
            add_grid_line(grid, sums);
        } else if (wide) {
            add_wide_block(grid, sums);
        } else {
            add_grid_block(grid, sums);
        }
    }
}

#endif
