/* Which of WORD_ROWS numbers are at most a bound, one bit for each, the first one lowest. */
#ifndef NBFRAMEWORK_MARKS_H
#define NBFRAMEWORK_MARKS_H

#include "kernels.h"

#define WORD_ROWS 64

#if defined(__SSE2__) && defined(__GNUC__)
#include <immintrin.h>

static inline uint64_t
mark_distances(const double *near, double bound)
{
    const __m128d limit = _mm_set1_pd(bound);
    uint64_t found = 0;
    for (size_t r = 0; r < WORD_ROWS; r += 2) {
        found |= (uint64_t)_mm_movemask_pd(_mm_cmple_pd(_mm_loadu_pd(near + r), limit)) << r;
    }
    return found;
}

static inline uint64_t
mark_bytes(const uint8_t *near, uint8_t bound)
{
    const __m128i limit = _mm_set1_epi8((char)bound);
    uint64_t found = 0;
    for (size_t r = 0; r < WORD_ROWS; r += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(near + r));
        found |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(bytes, limit), bytes)) << r;
    }
    return found;
}

#else

static inline uint64_t
mark_distances(const double *near, double bound)
{
    uint64_t found = 0;
    for (size_t r = 0; r < WORD_ROWS; r++) {
        found |= (uint64_t)(near[r] <= bound) << r;
    }
    return found;
}

static inline uint64_t
mark_bytes(const uint8_t *near, uint8_t bound)
{
    uint64_t found = 0;
    for (size_t r = 0; r < WORD_ROWS; r++) {
        found |= (uint64_t)(near[r] <= bound) << r;
    }
    return found;
}

#endif

#if WIDE_FUNCTIONS

WIDE static uint64_t
mark_distances_widely(const double *near, double bound)
{
    const __m512d limit = _mm512_set1_pd(bound);
    uint64_t found = 0;
    for (size_t r = 0; r < WORD_ROWS; r += 8) {
        found |= (uint64_t)_mm512_cmp_pd_mask(_mm512_loadu_pd(near + r), limit, _CMP_LE_OQ) << r;
    }
    return found;
}

WIDE static uint64_t
mark_bytes_widely(const uint8_t *near, uint8_t bound)
{
    return _mm512_cmple_epu8_mask(_mm512_loadu_si512(near), _mm512_set1_epi8((char)bound));
}

#else
#define mark_distances_widely mark_distances
#define mark_bytes_widely mark_bytes
#endif

#endif
