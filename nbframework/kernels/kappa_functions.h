/* Functions of a chunk of numbers at a time: powers, the smallest one.
 *
 * Small whole powers come from repeated multiplication.
 */
#ifndef NBFRAMEWORK_KAPPA_FUNCTIONS_H
#define NBFRAMEWORK_KAPPA_FUNCTIONS_H

#include "fused.h"
#include "power_grid.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define LARGEST_WHOLE 4096.0
#define MINIMA 64

/* 1 over whole powers of numbers of at least 1 by repeated squaring; of infinite ones 0, whatever the power: such a row
 * does not speak. Nothing becomes denormal on the way. */
INLINE void
take_whole_powers(const double *from, unsigned exponent, double *to)
{
    const Lanes *base = (const Lanes *)from;
    Lanes *power = (Lanes *)to;
    for (size_t i = 0; exponent == 0 && i < CHUNK; i++) {
        to[i] = from[i] < INFINITY ? 1.0 : 0.0;
    }
    for (size_t i = 0; exponent > 0 && i < CHUNK / WIDTH; i += 4) {
        Lanes b0 = base[i], b1 = base[i + 1], b2 = base[i + 2], b3 = base[i + 3];
        Lanes one = {0}, p0 = one + 1.0, p1 = p0, p2 = p0, p3 = p0;
        for (unsigned left = exponent;;) {
            if (left & 1) {
                p0 *= b0, p1 *= b1, p2 *= b2, p3 *= b3;
            }
            left >>= 1;
            if (left == 0) {
                break;
            }
            b0 *= b0, b1 *= b1, b2 *= b2, b3 *= b3;
        }
        power[i] = 1.0 / p0, power[i + 1] = 1.0 / p1, power[i + 2] = 1.0 / p2, power[i + 3] = 1.0 / p3;
    }
}

INLINE int
is_small_whole(double exponent)
{
    return exponent <= LARGEST_WHOLE && exponent == floor(exponent);
}

INLINE void
multiply(double *restrict power, const double *restrict weight)
{
    for (size_t i = 0; i < CHUNK; i++) {
        power[i] *= weight[i];
    }
}

INLINE void
lower_minima(const double *restrict measure, double *restrict least)
{
    for (size_t i = 0; i < MINIMA; i++) {
        least[i] = measure[i] < least[i] ? measure[i] : least[i];
    }
}

INLINE double
smallest_of(const double *measure, size_t count)
{
    double least[MINIMA], smallest = INFINITY;
    size_t i = 0;
    for (size_t k = 0; k < MINIMA; k++) {
        least[k] = INFINITY;
    }
    for (; i + MINIMA <= count; i += MINIMA) {
        lower_minima(measure + i, least);
    }
    for (; i < count; i++) {
        smallest = measure[i] < smallest ? measure[i] : smallest;
    }
    for (size_t k = 0; k < MINIMA; k++) {
        smallest = least[k] < smallest ? least[k] : smallest;
    }
    return smallest;
}

#endif
