/* Decimal numbers, read as the nearest double.
 *
 * Numbers of up to MOST_DIGITS digits and a moderate exponent are made here, others are left to the interpreter.
 */
#ifndef NBFRAMEWORK_ARFF_NUMBERS_H
#define NBFRAMEWORK_ARFF_NUMBERS_H

#include "arff_bytes.h"

#include <float.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define MOST_DIGITS 19
#define LARGEST_EXPONENT 99999

static const double POWER_OF_TEN[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static const double SIGN[] = {1.0, -1.0};

#ifdef __SIZEOF_INT128__
typedef unsigned __int128 Wide;

#define LARGEST_WIDE 27

static const uint64_t POWER_OF_FIVE[LARGEST_WIDE + 1] = {
    UINT64_C(1),
    UINT64_C(5),
    UINT64_C(25),
    UINT64_C(125),
    UINT64_C(625),
    UINT64_C(3125),
    UINT64_C(15625),
    UINT64_C(78125),
    UINT64_C(390625),
    UINT64_C(1953125),
    UINT64_C(9765625),
    UINT64_C(48828125),
    UINT64_C(244140625),
    UINT64_C(1220703125),
    UINT64_C(6103515625),
    UINT64_C(30517578125),
    UINT64_C(152587890625),
    UINT64_C(762939453125),
    UINT64_C(3814697265625),
    UINT64_C(19073486328125),
    UINT64_C(95367431640625),
    UINT64_C(476837158203125),
    UINT64_C(2384185791015625),
    UINT64_C(11920928955078125),
    UINT64_C(59604644775390625),
    UINT64_C(298023223876953125),
    UINT64_C(1490116119384765625),
    UINT64_C(7450580596923828125),
};

/* digits * 10^exponent for digits > 0 and |exponent| <= 27, rounded once, half to even. */
static double
scaled_exactly(uint64_t digits, int exponent)
{
    Wide number;
    int binary = exponent, sticky = 0;
    if (exponent >= 0) {
        number = (Wide)digits * POWER_OF_FIVE[exponent];
    } else {
        int shift = 64 + __builtin_clzll(digits);
        Wide dividend = (Wide)digits << shift;
        number = dividend / POWER_OF_FIVE[-exponent];
        sticky = number * POWER_OF_FIVE[-exponent] != dividend;
        binary -= shift;
    }
    uint64_t high = (uint64_t)(number >> 64);
    int bits = high ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll((uint64_t)number);
    uint64_t mantissa = (uint64_t)number;
    if (bits > 53) {
        int drop = bits - 53;
        Wide rest = number & (((Wide)1 << drop) - 1), half = (Wide)1 << (drop - 1);
        mantissa = (uint64_t)(number >> drop);
        mantissa += rest > half || (rest == half && (sticky || (mantissa & 1)));
        binary += drop;
    }
    uint64_t power = (uint64_t)(binary + 1023) << 52;
    double factor;
    memcpy(&factor, &power, sizeof factor);
    return (double)mantissa * factor;
}
#endif

static inline int
is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* The digits read so far: their number without leading zeros, and their value up to MOST_DIGITS. */
typedef struct {
    size_t count;
    uint64_t value;
} Digits;

#if BY_EIGHT
static const uint32_t SHIFTED[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
#endif

#if BY_EIGHT
/* The number of eight digits, each a byte from 0 to 9, the first one lowest. */
static inline uint64_t
number_of(uint64_t eight)
{
    eight = eight * 10 + (eight >> 8);
    return ((eight & UINT64_C(0x000000FF000000FF)) * (100 + (UINT64_C(1000000) << 32)) +
            (eight >> 16 & UINT64_C(0x000000FF000000FF)) * (1 + (UINT64_C(10000) << 32))) >>
           32;
}

/* A mark at the first byte that is no digit, and at the second one where the first is a point; bytes are digits less
 * the sign of zero. */
static inline uint64_t
others_in(uint64_t eight)
{
    return ((eight + EACH(0x80 - 10)) | eight) & EACH(0x80);
}

/* Read digits with or without a point among them that end within eight bytes, and no exponent behind; whether there
 * are such. */
static inline int
scan_short(const char *p, const char *end, const char **behind, double *value)
{
    uint64_t eight;
    if (FLT_EVAL_METHOD != 0 || end - p < 8) {
        return 0;
    }
    memcpy(&eight, p, 8);
    eight ^= EACH('0');
    uint64_t others = others_in(eight);
    if (others == 0) {
        return 0;
    }
    int point = __builtin_ctzll(others) >> 3, last = point, digits = point;
    if (p[point] == '.') {
        others &= others - 1;
        if (others == 0) {
            return 0;
        }
        last = __builtin_ctzll(others) >> 3;
        digits = last - 1;
        uint64_t before = eight & ((UINT64_C(1) << 8 * point) - 1);
        eight = before | eight >> 8 * (point + 1) << 8 * point;
    }
    if (digits == 0 || p[last] == 'e' || p[last] == 'E') {
        return 0;
    }
    *behind = p + last;
    *value = (double)number_of(eight << (64 - 8 * digits)) / POWER_OF_TEN[digits - point];
    return 1;
}
#endif

/* Read a run of digits; the place behind it. */
static inline const char *
read_digits(const char *p, const char *end, Digits *digits)
{
#if BY_EIGHT
    while (end - p >= 8) {
        uint64_t eight;
        memcpy(&eight, p, 8);
        eight ^= EACH('0');
        uint64_t others = others_in(eight);
        int run = others ? __builtin_ctzll(others) >> 3 : 8;
        if (run == 0) {
            return p;
        }
        eight <<= 64 - 8 * run;
        if (digits->count) {
            digits->count += (size_t)run;
        } else if (eight) {
            digits->count = 8 - ((size_t)__builtin_ctzll(eight) >> 3);
        }
        digits->value = digits->value * SHIFTED[run] + number_of(eight);
        p += run;
        if (run < 8) {
            return p;
        }
    }
#endif
    for (; p < end && is_digit(*p); p++) {
        digits->value = digits->value * 10 + (uint64_t)(*p - '0');
        digits->count += digits->count || *p != '0';
    }
    return p;
}

typedef enum { NO_NUMBER, NUMBER, LONG_NUMBER } NumberKind;

/* Read the longest decimal number at `text`; LONG_NUMBER where its value is left to the interpreter. */
static inline NumberKind
scan_number(const char *text, const char *end, const char **behind, double *value)
{
    const char *p = text;
    int negative = p < end && *p == '-', exponent = 0;
    Digits digits = {0, 0};
    p += negative | (p < end && *p == '+');
#if BY_EIGHT
    if (scan_short(p, end, behind, value)) {
        *value *= SIGN[negative];
        return NUMBER;
    }
#endif
    const char *point = read_digits(p, end, &digits);
    int any = point > p;
    p = point;
    if (p < end && *p == '.') {
        point = p + 1;
        p = read_digits(point, end, &digits);
        any |= p > point;
        if (p - point > LONGEST_NUMBER) {
            return NO_NUMBER;
        }
        exponent = -(int)(p - point);
    }
    if (!any) {
        return NO_NUMBER;
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        const char *q = p + 1;
        int down = 0, written = 0;
        if (q < end && (*q == '-' || *q == '+')) {
            down = *q == '-';
            q++;
        }
        if (q == end || !is_digit(*q)) {
            return NO_NUMBER;
        }
        for (; q < end && is_digit(*q); q++) {
            written = written < LARGEST_EXPONENT ? written * 10 + (*q - '0') : written;
        }
        exponent += down ? -written : written;
        p = q;
    }
    *behind = p;
    if (digits.count == 0) {
        *value = SIGN[negative] * 0.0;
        return NUMBER;
    }
    if (digits.count > MOST_DIGITS || FLT_EVAL_METHOD != 0) {
        return LONG_NUMBER;
    }
    double number;
    if (digits.value <= UINT64_C(9007199254740992) && exponent >= -22 && exponent <= 22) {
        number = (double)digits.value;
        number = exponent < 0 ? number / POWER_OF_TEN[-exponent] : number * POWER_OF_TEN[exponent];
#ifdef __SIZEOF_INT128__
    } else if (exponent >= -LARGEST_WIDE && exponent <= LARGEST_WIDE) {
        number = scaled_exactly(digits.value, exponent);
#endif
    } else {
        return LONG_NUMBER;
    }
    *value = SIGN[negative] * number;
    return NUMBER;
}

#endif
