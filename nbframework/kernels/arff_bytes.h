/* Eight bytes at a time, the first one lowest, where the compiler has what it takes. */
#ifndef NBFRAMEWORK_ARFF_BYTES_H
#define NBFRAMEWORK_ARFF_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__GNUC__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define BY_EIGHT 1
#else
#define BY_EIGHT 0
#endif
#define LONGEST_NUMBER 511 /* bytes of one that the interpreter is given */
#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* The first eight bytes, or fewer with zeros behind them. */
static inline uint64_t
head_of(const char *text, size_t length)
{
    uint64_t head = 0;
    memcpy(&head, text, length < 8 ? length : 8);
    return head;
}

#endif
