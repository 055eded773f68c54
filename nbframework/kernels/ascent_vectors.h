/* The loops of the ascent over vectors of factors, for vectors of several widths.
 *
 * Compilers do badly by vectors wider than the processor's, so that each width is named where it is called for.
 */
#ifndef NBFRAMEWORK_ASCENT_VECTORS_H
#define NBFRAMEWORK_ASCENT_VECTORS_H

#include "kernels.h"

#include <string.h>

#define PADDING 8 /* factors, and vectors behind the last one, that the widest loops read at a time */

typedef enum { IN_PAIRS, IN_LANES, IN_WIDE_LANES } Span;

/* Call the form of a function for a span, which is a constant where the loops are inlined. */
#define IN_SPAN(SPAN, NAME, ...)                                                                                      \
    ((SPAN) == IN_WIDE_LANES ? NAME##_in_wide_lanes(__VA_ARGS__)                                                      \
     : (SPAN) == IN_LANES    ? NAME##_in_lanes(__VA_ARGS__)                                                           \
                             : NAME##_in_pairs(__VA_ARGS__))

INLINE size_t
padded(size_t count, Span span)
{
    const size_t lines = span == IN_WIDE_LANES ? PADDING : PADDING / 2;
    return (count + lines - 1) / lines * lines;
}

/* Put the sums of the lanes of as many vectors as one has lanes side by side. */
#if defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 12)
#define PICK __builtin_shufflevector

INLINE void
sum_lanes_in_pairs(const Pair *vector, Pair *sums)
{
    *sums = PICK(vector[0], vector[1], 0, 2) + PICK(vector[0], vector[1], 1, 3);
}

INLINE void
sum_lanes_in_lanes(const Lanes *vector, Lanes *sums)
{
    Lanes two[2];
    for (size_t i = 0; i < 2; i++) {
        Lanes one = vector[2 * i], other = vector[2 * i + 1];
        two[i] = PICK(one, other, 0, 4, 2, 6) + PICK(one, other, 1, 5, 3, 7);
    }
    *sums = PICK(two[0], two[1], 0, 1, 4, 5) + PICK(two[0], two[1], 2, 3, 6, 7);
}

INLINE void
sum_lanes_in_wide_lanes(const WideLanes *vector, WideLanes *sums)
{
    WideLanes two[4], four[2];
    for (size_t i = 0; i < 4; i++) {
        WideLanes one = vector[2 * i], other = vector[2 * i + 1];
        two[i] = PICK(one, other, 0, 8, 2, 10, 4, 12, 6, 14) + PICK(one, other, 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (size_t i = 0; i < 2; i++) {
        WideLanes one = two[2 * i], other = two[2 * i + 1];
        four[i] = PICK(one, other, 0, 1, 8, 9, 4, 5, 12, 13) + PICK(one, other, 2, 3, 10, 11, 6, 7, 14, 15);
    }
    *sums = PICK(four[0], four[1], 0, 1, 2, 3, 8, 9, 10, 11) + PICK(four[0], four[1], 4, 5, 6, 7, 12, 13, 14, 15);
}
#else
#define WITHOUT_SHUFFLES(NAME, VECTOR)                                                                                \
    INLINE void NAME(const VECTOR *vector, VECTOR *sums)                                                              \
    {                                                                                                                 \
        double lane[sizeof(VECTOR) / sizeof(double)], total[sizeof(VECTOR) / sizeof(double)];                         \
        for (size_t i = 0; i < sizeof(VECTOR) / sizeof(double); i++) {                                                \
            memcpy(lane, &vector[i], sizeof lane);                                                                    \
            total[i] = 0.0;                                                                                           \
            for (size_t k = 0; k < sizeof(VECTOR) / sizeof(double); k++) {                                            \
                total[i] += lane[k];                                                                                  \
            }                                                                                                         \
        }                                                                                                             \
        memcpy(sums, total, sizeof total);                                                                            \
    }
WITHOUT_SHUFFLES(sum_lanes_in_pairs, Pair)
WITHOUT_SHUFFLES(sum_lanes_in_lanes, Lanes)
WITHOUT_SHUFFLES(sum_lanes_in_wide_lanes, WideLanes)
#endif

#define WITH_VECTORS(VECTOR, LINES, OF)                                                                               \
    /* Add the products of the vectors with themselves to a tile: LINES lines, two vectors across or one. */          \
    INLINE void add_tile_##OF(const double *vectors, size_t count, size_t stride, size_t i, size_t j, size_t across,  \
                         double *matrix)                                                                              \
    {                                                                                                                 \
        VECTOR sum[LINES][2];                                                                                         \
        const size_t width = sizeof(VECTOR) / sizeof(double);                                                         \
        for (size_t line = 0; line < LINES; line++) {                                                                 \
            for (size_t a = 0; a < across; a++) {                                                                     \
                sum[line][a] = *(VECTOR *)&matrix[(i + line) * stride + j + a * width];                               \
            }                                                                                                         \
        }                                                                                                             \
        for (size_t v = 0; v < count; v++) {                                                                          \
            const double *own = vectors + v * stride + i;                                                             \
            const VECTOR *other = (const VECTOR *)(vectors + v * stride + j);                                         \
            for (size_t line = 0; line < LINES; line++) {                                                             \
                for (size_t a = 0; a < across; a++) {                                                                 \
                    sum[line][a] += own[line] * other[a];                                                             \
                }                                                                                                     \
            }                                                                                                         \
        }                                                                                                             \
        for (size_t line = 0; line < LINES; line++) {                                                                 \
            for (size_t a = 0; a < across; a++) {                                                                     \
                *(VECTOR *)&matrix[(i + line) * stride + j + a * width] = sum[line][a];                               \
            }                                                                                                         \
        }                                                                                                             \
    }                                                                                                                 \
    /* The same for the upper half of a matrix, and what lies below it in the tiles of the diagonal. */               \
    INLINE void add_products_##OF(const double *vectors, size_t count, size_t stride, double *matrix)                 \
    {                                                                                                                 \
        const size_t width = sizeof(VECTOR) / sizeof(double);                                                         \
        for (size_t i = 0; i < stride; i += LINES) {                                                                  \
            size_t j = i;                                                                                             \
            for (; j + 2 * width <= stride; j += 2 * width) {                                                         \
                add_tile_##OF(vectors, count, stride, i, j, 2, matrix);                                               \
            }                                                                                                         \
            if (j < stride) {                                                                                         \
                add_tile_##OF(vectors, count, stride, i, j, 1, matrix);                                               \
            }                                                                                                         \
        }                                                                                                             \
    }                                                                                                                 \
    /* Write the distance of each class from the mean of those before it, times its scale. Where the next one is      \
     * to take its place, it is written over. */                                                                      \
    INLINE void take_apart_##OF(const double *vectors, const double *share, const double *scale,                      \
                                const uint8_t *counts, size_t count, size_t stride, double *to)                       \
    {                                                                                                                 \
        for (size_t j = 0; j < stride; j += sizeof(VECTOR) / sizeof(double)) {                                        \
            VECTOR mean = {0};                                                                                        \
            double *place = to + j;                                                                                   \
            for (size_t e = 0; e < count; e++) {                                                                      \
                VECTOR distance = *(const VECTOR *)&vectors[e * stride + j] - mean;                                   \
                *(VECTOR *)place = distance * scale[e];                                                               \
                mean += distance * share[e];                                                                          \
                place += counts[e] * stride;                                                                          \
            }                                                                                                         \
        }                                                                                                             \
    }                                                                                                                 \
    /* Subtract vectors, each times a number of its own. */                                                           \
    INLINE void subtract_##OF(const double *vectors, const double *times, size_t count, size_t stride, double *from)  \
    {                                                                                                                 \
        for (size_t j = 0; j < stride; j += sizeof(VECTOR) / sizeof(double)) {                                        \
            VECTOR sum[4] = {{0}};                                                                                    \
            const double *vector = vectors + j;                                                                       \
            size_t e = 0;                                                                                             \
            for (; e + 4 <= count; e += 4, vector += 4 * stride) {                                                    \
                for (size_t k = 0; k < 4; k++) {                                                                      \
                    sum[k] += *(const VECTOR *)(vector + k * stride) * times[e + k];                                  \
                }                                                                                                     \
            }                                                                                                         \
            for (; e < count; e++, vector += stride) {                                                                \
                sum[0] += *(const VECTOR *)vector * times[e];                                                         \
            }                                                                                                         \
            *(VECTOR *)&from[j] -= (sum[0] + sum[1]) + (sum[2] + sum[3]);                                             \
        }                                                                                                             \
    }                                                                                                                 \
    /* Write the scores of rivals, those of the rows' own classes being 0. Vectors and scores are read and written    \
     * beyond the last one, to as many as a vector has lanes. */                                                      \
    INLINE void find_scores_##OF(const double *relative, const double *base, size_t rivals, const double *point,      \
                                 size_t stride, double *score)                                                        \
    {                                                                                                                 \
        const size_t width = sizeof(VECTOR) / sizeof(double);                                                         \
        for (size_t e = 0; e < rivals; e += width, relative += width * stride) {                                      \
            VECTOR sum[sizeof(VECTOR) / sizeof(double)] = {{0}}, start, result;                                       \
            for (size_t j = 0; j < stride; j += width) {                                                              \
                const VECTOR weight = *(const VECTOR *)&point[j];                                                     \
                for (size_t k = 0; k < width; k++) {                                                                  \
                    sum[k] += *(const VECTOR *)&relative[k * stride + j] * weight;                                    \
                }                                                                                                     \
            }                                                                                                         \
            memcpy(&start, base + e, sizeof start);                                                                   \
            sum_lanes_##OF(sum, &result);                                                                             \
            result += start;                                                                                          \
            memcpy(score + e, &result, sizeof result);                                                                \
        }                                                                                                             \
    }

WITH_VECTORS(Pair, 4, in_pairs)
WITH_VECTORS(Lanes, 4, in_lanes)
WITH_VECTORS(WideLanes, 8, in_wide_lanes)

#endif
