/* The group at work: its rows, the classes that they are compared with, and room for the steps of the ascent. */
#ifndef NBFRAMEWORK_ASCENT_GROUP_H
#define NBFRAMEWORK_ASCENT_GROUP_H

#include "ascent.h"
#include "ascent_vectors.h"

#if WIDE_FUNCTIONS
#include <immintrin.h>
#endif

#define MOST_STORED ((size_t)1 << 17) /* factors of a group that are copied side by side */

/* A row that says something: its rivals, the classes that it is compared with, and the factors of its own class. */
typedef struct {
    size_t rivals;
    size_t end;
    const double *own;
    double weight;
} Row;

/* Numbers for each factor are padded with zeros to whole lanes. */
typedef struct {
    size_t row_count;
    Row *row;
    const double **rival; /* all factors of a rival, and its score without them */
    double *base;
    size_t slots;
    uint32_t *slot; /* the classes that are kept, and how many each stands for */
    double *multiplicity;
    double *log_multiplicity;
    size_t count;  /* factors that tell classes apart */
    size_t stride; /* the same, padded */
    uint32_t *factor;
    double *copies;  /* how many factors each of them stands for */
    uint8_t *kept;   /* a mark for each factor, those of a wide vector in a byte */
    uint32_t *stands; /* the place in `factor` of the one that stands for a factor, UINT32_MAX for none */
    double *checksum;
    int stored;
    double *all;      /* factors relative to the row's own class: of all rivals that are stored, or of one */
    double *relative; /* of these the factors at work: of all rivals that are stored, or of those of one row */
    double *room;     /* for them, where they are not all factors */
    double *posterior; /* of all rivals */
    double *times;     /* the same, times the weight of the row */
    double *own_posterior;
    double *sum; /* of a row's likelihoods, relative to its largest */
    double *solution;
    uint64_t *differs; /* whether a factor tells classes apart */
    uint8_t *alike;    /* whether a class looks like the first one without rows */
    double *share; /* how a rival moves the mean of a row, and what it adds to the covariance */
    double *scale;
    uint8_t *counts;
    double *spread; /* vectors whose products wait */
    double *point;
    double *trial;
    double *gradient;
    double *matrix; /* the negated Hessian, with a damped diagonal, and the diagonal without damping */
    double *diagonal;
    double *reduced;
    double *step;
    double *move;
    double *rest;
    double *low;
    double *high;
    int8_t *held;
    uint32_t *free;
} Group;

INLINE const double *
factors_of(const Task *task, size_t row, size_t c)
{
    return task->log_factors + (row * task->class_count + c) * task->factors;
}

#if WIDE_FUNCTIONS
/* Close up the factors at work by their marks, in whole vectors, and write zeros behind them. */
WIDE static inline void
keep_factors_widely(const Group *group, size_t all_factors, const double *all, double *to)
{
    size_t place = 0;
    for (size_t f = 0; f < all_factors; f += PADDING) {
        unsigned kept = group->kept[f / PADDING];
        __m512d factors = _mm512_maskz_compress_pd((__mmask8)kept, _mm512_loadu_pd(all + f));
        _mm512_storeu_pd(to + place, _mm512_mul_pd(factors, _mm512_loadu_pd(group->copies + place)));
        place += (unsigned)__builtin_popcount(kept);
    }
    _mm512_storeu_pd(to + place, _mm512_setzero_pd());
}
#endif

/* Write the relative factors of a rival that are at work, from all of them, padded; of what follows them, a wide vector
 * may be written over. */
INLINE void
keep_factors(const Group *group, Span span, size_t all_factors, const double *all, double *to)
{
#if WIDE_FUNCTIONS
    if (span == IN_WIDE_LANES) {
        keep_factors_widely(group, all_factors, all, to);
        return;
    }
#endif
    (void)span, (void)all_factors;
    for (size_t i = 0; i < group->count; i++) {
        to[i] = all[group->factor[i]] * group->copies[i];
    }
    for (size_t i = group->count; i < group->stride; i++) {
        to[i] = 0.0;
    }
}

/* The relative factors of a row's rivals. */
INLINE const double *
relative_of(const Task *task, Span span, Group *group, const Row *row)
{
    const size_t all_factors = padded(task->factors, span);
    if (group->stored) {
        return group->relative + row->rivals * group->stride;
    }
    double *to = group->relative;
    for (size_t e = row->rivals; e < row->end; e++, to += group->stride) {
        for (size_t f = 0; f < task->factors; f++) {
            group->all[f] = group->rival[e][f] - row->own[f];
        }
        keep_factors(group, span, all_factors, group->all, to);
    }
    return group->relative;
}

#endif
