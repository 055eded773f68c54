/* Codes, row indexes and borders in: copied from integers of any kind, with their range checked. */

#include "kernels.h"

#include <string.h>

/* Element i as its 64 bits; a negative number becomes a huge one. */
static uint64_t
element(const Integers *array, size_t i)
{
    const char *place = array->data + (ptrdiff_t)i * array->stride;
    union {
        uint8_t u8;
        uint16_t u16;
        uint32_t u32;
        uint64_t u64;
        int8_t i8;
        int16_t i16;
        int32_t i32;
    } value;
    memcpy(&value, place, (size_t)array->buffer.itemsize);
    switch (array->kind) {
    case U8:
        return value.u8;
    case U16:
        return value.u16;
    case U32:
        return value.u32;
    case I8:
        return (uint64_t)(int64_t)value.i8;
    case I16:
        return (uint64_t)(int64_t)value.i16;
    case I32:
        return (uint64_t)(int64_t)value.i32;
    default:
        return value.u64;
    }
}

size_t *
read_offset(PyObject *object, size_t count, size_t width)
{
    Integers array;
    size_t *offset = NULL;
    if (open_integers(object, "offset", &array) < 0) {
        return NULL;
    }
    if (array.length != count + 1) {
        PyErr_Format(PyExc_ValueError, "offset: expected %zu borders for %zu columns, found %zu", count + 1, count,
                     array.length);
        goto done;
    }
    offset = PyMem_Malloc(array.length * sizeof(size_t));
    if (offset == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    uint64_t previous = 0;
    for (size_t j = 0; j <= count; j++) {
        uint64_t border = element(&array, j);
        if (border < previous || border > width || (j == count && border != width)) {
            PyErr_Format(PyExc_ValueError, "offset: expected ascending borders from 0 to %zu", width);
            PyMem_Free(offset);
            offset = NULL;
            goto done;
        }
        previous = border;
        offset[j] = (size_t)border;
    }
done:
    close_integers(&array);
    return offset;
}

uint32_t
limit_of(size_t count)
{
    return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

uint32_t
block_width(const size_t *offset, size_t j)
{
    return limit_of(offset[j + 1] - offset[j]);
}

/* A number above 32 bits, or a negative one, is loaded as UINT32_MAX or more than INT32_MAX: no code is that large. */
#define NARROW(value) ((uint32_t)(value))
#define SATURATE(value) ((uint64_t)(value) > UINT32_MAX ? UINT32_MAX : (uint32_t)(value))

#define LOADER(TYPE, TO_CODE)                                                                                         \
    DISPATCHED static uint32_t load_dense_##TYPE(const TYPE *restrict from, size_t count, uint32_t *restrict out)     \
    {                                                                                                                 \
        uint32_t largest = 0;                                                                                         \
        for (size_t i = 0; i < count; i++) {                                                                          \
            uint32_t code = TO_CODE(from[i]);                                                                         \
            largest = code > largest ? code : largest;                                                                \
            out[i] = code;                                                                                            \
        }                                                                                                             \
        return largest;                                                                                               \
    }                                                                                                                 \
    static uint32_t load_strided_##TYPE(const char *from, ptrdiff_t stride, size_t count, uint32_t *out)              \
    {                                                                                                                 \
        uint32_t largest = 0;                                                                                         \
        for (size_t i = 0; i < count; i++) {                                                                          \
            TYPE value;                                                                                               \
            memcpy(&value, from + (ptrdiff_t)i * stride, sizeof value);                                               \
            uint32_t code = TO_CODE(value);                                                                           \
            largest = code > largest ? code : largest;                                                                \
            out[i] = code;                                                                                            \
        }                                                                                                             \
        return largest;                                                                                               \
    }                                                                                                                 \
    static uint32_t load_##TYPE(const Integers *array, size_t start, size_t count, uint32_t *out)                     \
    {                                                                                                                 \
        const char *from = array->data + (ptrdiff_t)start * array->stride;                                            \
        if (array->stride == (ptrdiff_t)sizeof(TYPE) && (uintptr_t)from % sizeof(TYPE) == 0) {                        \
            return load_dense_##TYPE((const TYPE *)from, count, out);                                                 \
        }                                                                                                             \
        return load_strided_##TYPE(from, array->stride, count, out);                                                  \
    }                                                                                                                 \
    static uint32_t gather_##TYPE(const Integers *array, const size_t *rows, size_t count, uint32_t *out)             \
    {                                                                                                                 \
        const char *from = array->data;                                                                               \
        const ptrdiff_t stride = array->stride;                                                                       \
        uint32_t largest = 0;                                                                                         \
        for (size_t i = 0; i < count; i++) {                                                                          \
            TYPE value;                                                                                               \
            memcpy(&value, from + (ptrdiff_t)rows[i] * stride, sizeof value);                                         \
            uint32_t code = TO_CODE(value);                                                                           \
            largest = code > largest ? code : largest;                                                                \
            out[i] = code;                                                                                            \
        }                                                                                                             \
        return largest;                                                                                               \
    }

LOADER(uint8_t, NARROW)
LOADER(uint16_t, NARROW)
LOADER(uint32_t, NARROW)
LOADER(uint64_t, SATURATE)
LOADER(int8_t, NARROW)
LOADER(int16_t, NARROW)
LOADER(int32_t, NARROW)
LOADER(int64_t, SATURATE)

#define FOR_KIND(FUNCTION, ...)                                                                                       \
    switch (array->kind) {                                                                                            \
    case U8:                                                                                                          \
        largest = FUNCTION##_uint8_t(__VA_ARGS__);                                                                    \
        break;                                                                                                        \
    case U16:                                                                                                         \
        largest = FUNCTION##_uint16_t(__VA_ARGS__);                                                                   \
        break;                                                                                                        \
    case U32:                                                                                                         \
        largest = FUNCTION##_uint32_t(__VA_ARGS__);                                                                   \
        break;                                                                                                        \
    case U64:                                                                                                         \
        largest = FUNCTION##_uint64_t(__VA_ARGS__);                                                                   \
        break;                                                                                                        \
    case I8:                                                                                                          \
        largest = FUNCTION##_int8_t(__VA_ARGS__);                                                                     \
        break;                                                                                                        \
    case I16:                                                                                                         \
        largest = FUNCTION##_int16_t(__VA_ARGS__);                                                                    \
        break;                                                                                                        \
    case I32:                                                                                                         \
        largest = FUNCTION##_int32_t(__VA_ARGS__);                                                                    \
        break;                                                                                                        \
    default:                                                                                                          \
        largest = FUNCTION##_int64_t(__VA_ARGS__);                                                                    \
    }

static size_t
first_beyond(const uint32_t *codes, size_t count, uint32_t limit)
{
    size_t i = 0;
    while (i < count && codes[i] < limit) {
        i++;
    }
    return i;
}

size_t
load_codes(const Integers *array, size_t start, size_t count, uint32_t limit, uint32_t *out)
{
    uint32_t largest;
    if (count == 0) {
        return 0;
    }
    FOR_KIND(load, array, start, count, out)
    return largest < limit ? count : first_beyond(out, count, limit);
}

size_t
gather_codes(const Integers *array, const size_t *rows, size_t count, uint32_t limit, uint32_t *out)
{
    uint32_t largest;
    if (count == 0) {
        return 0;
    }
    FOR_KIND(gather, array, rows, count, out)
    return largest < limit ? count : first_beyond(out, count, limit);
}

const uint8_t *
dense_bytes(const Integers *array, size_t start)
{
    return array->kind == U8 && array->stride == 1 ? (const uint8_t *)array->data + start : NULL;
}

const size_t *
dense_rows(const Integers *array)
{
    int fits = (array->kind == I64 || array->kind == U64) && sizeof(size_t) == 8 && array->stride == 8 &&
               (uintptr_t)array->data % 8 == 0;
    return fits ? (const size_t *)array->data : NULL;
}

size_t
load_rows(const Integers *array, size_t start, size_t count, size_t limit, size_t *out)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t row = element(array, start + i);
        if (row >= limit) {
            return i;
        }
        out[i] = (size_t)row;
    }
    return count;
}

size_t
load_optional_rows(const Integers *array, size_t start, size_t count, size_t limit, size_t *out)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t row = element(array, start + i);
        if (row > INT64_MAX) {
            row = SIZE_MAX;
        } else if (row >= limit) {
            return i;
        }
        out[i] = (size_t)row;
    }
    return count;
}
