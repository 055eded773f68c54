/* interval_codes: the number of cut points below each value of a column.
 *
 * Few cut points are compared one after the other with a block of values, many by bisection without branches.
 */

#include "kernels.h"

#include <stdlib.h>
#include <string.h>

#define CODED_ROWS 512
#define FEW_CUTS 48
#define STRIP 32

/* Count the cut points below each value of a block, a strip of values at a time, whose counts stay in registers. */
DISPATCHED static void
count_below(const double *restrict values, size_t rows, const double *restrict cuts, size_t cut_count,
            int64_t *restrict below)
{
    size_t first = 0;
    for (; first + STRIP <= rows; first += STRIP) {
        int64_t count[STRIP] = {0};
        for (size_t k = 0; k < cut_count; k++) {
            const double cut = cuts[k];
            for (size_t i = 0; i < STRIP; i++) {
                count[i] += values[first + i] > cut;
            }
        }
        memcpy(below + first, count, sizeof count);
    }
    for (; first < rows; first++) {
        below[first] = 0;
        for (size_t k = 0; k < cut_count; k++) {
            below[first] += values[first] > cuts[k];
        }
    }
}

/* The same by halving, all rows of a block at a time; there is at least one cut point. */
DISPATCHED static void
bisect(const double *restrict values, size_t rows, const double *restrict cuts, size_t cut_count,
       int64_t *restrict below)
{
    for (size_t i = 0; i < rows; i++) {
        below[i] = 0;
    }
    for (size_t left = cut_count; left > 1;) {
        const int64_t half = (int64_t)(left / 2);
        for (size_t i = 0; i < rows; i++) {
            below[i] += cuts[below[i] + half - 1] < values[i] ? half : 0;
        }
        left -= (size_t)half;
    }
    for (size_t i = 0; i < rows; i++) {
        below[i] += cuts[below[i]] < values[i];
    }
}

static void
write_codes(const int64_t *below, const double *values, size_t rows, uint32_t unknown, size_t size, char *out)
{
    for (size_t i = 0; i < rows; i++) {
        uint32_t code = values[i] == values[i] ? (uint32_t)below[i] : unknown;
        if (size == 1) {
            ((uint8_t *)out)[i] = (uint8_t)code;
        } else if (size == 2) {
            ((uint16_t *)out)[i] = (uint16_t)code;
        } else {
            ((uint32_t *)out)[i] = code;
        }
    }
}

static void
encode(const Doubles *values, const Doubles *cuts, uint32_t unknown, size_t size, char *out)
{
    int64_t below[CODED_ROWS];
    for (size_t start = 0; start < values->length; start += CODED_ROWS) {
        const double *block = values->data + start;
        size_t left = values->length - start, rows = left < CODED_ROWS ? left : CODED_ROWS;
        if (cuts->length <= FEW_CUTS) {
            count_below(block, rows, cuts->data, cuts->length, below);
        } else {
            bisect(block, rows, cuts->data, cuts->length, below);
        }
        write_codes(below, block, rows, unknown, size, out + start * size);
    }
}

/* interval_codes(values, cuts, unknown, out): fill the codes. */
PyObject *
kernel_interval_codes(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *values, *cuts, *out, *result = NULL;
    unsigned long unknown;
    if (!PyArg_ParseTuple(arguments, "OOkO:interval_codes", &values, &cuts, &unknown, &out)) {
        return NULL;
    }
    Doubles numbers = {.open = 0}, borders = {.open = 0};
    Py_buffer codes = {.obj = NULL};
    if (open_doubles(values, "values", 1, 0, &numbers) < 0 || open_doubles(cuts, "cuts", 1, 0, &borders) < 0 ||
        PyObject_GetBuffer(out, &codes, PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS) < 0) {
        goto done;
    }
    size_t size = (size_t)codes.itemsize;
    if ((size != 1 && size != 2 && size != 4) || (size_t)codes.len != numbers.length * size) {
        PyErr_Format(PyExc_ValueError, "out: expected %zu codes of 1, 2 or 4 bytes", numbers.length);
        goto done;
    }
    uint64_t largest = ((uint64_t)1 << (8 * size)) - 1;
    if (unknown > largest || borders.length > largest) {
        PyErr_Format(PyExc_ValueError, "out: the codes %lu and %zu do not fit into %zu bytes", unknown,
                     borders.length, size);
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    encode(&numbers, &borders, (uint32_t)unknown, size, codes.buf);
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    if (codes.obj != NULL) {
        PyBuffer_Release(&codes);
    }
    close_doubles(&borders);
    close_doubles(&numbers);
    return result;
}
