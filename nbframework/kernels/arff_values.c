/* The table of the declared values of an attribute: how it is built. */

#include "arff_values.h"

#include <string.h>

#define FEW_VALUES 64
#define MOST_TRIES 40

/* Whether a value may stand without quotes, and is not the sign of a missing value. */
static int
is_bare(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)text[i] <= ' ' || strchr(",{}'\"%", text[i]) != NULL) {
            return 0;
        }
    }
    return length > 0 && !(length == 1 && text[0] == '?');
}

/* Put the values into free slots; returns how many taken slots stood in their way, -1 with an exception. */
static Py_ssize_t
fill_slots(PyObject *values, Vocabulary *vocabulary)
{
    Py_ssize_t displaced = 0;
    for (size_t code = 0; code < vocabulary->count; code++) {
        char *text;
        Py_ssize_t length;
        if (PyBytes_AsStringAndSize(PyTuple_GetItem(values, (Py_ssize_t)code), &text, &length) < 0) {
            return -1;
        }
        if ((size_t)length >= UINT32_MAX) {
            PyErr_SetString(PyExc_ValueError, "values: one is too long");
            return -1;
        }
        uint64_t head = head_of(text, (size_t)length);
        Slot *slot = find_slot(vocabulary, head, text, (size_t)length, &displaced);
        if (slot->text != NULL) {
            PyErr_Format(PyExc_ValueError, "values: value %zu of an attribute equals value %lu", code,
                         (unsigned long)slot->code);
            return -1;
        }
        *slot = (Slot){head, text, (uint32_t)length, (uint32_t)code, is_bare(text, (size_t)length)};
    }
    return displaced;
}

/* Build the table; a few factors are tried for one without collisions, which saves the look-ups a guess. */
int
build_vocabulary(PyObject *values, Vocabulary *vocabulary)
{
    size_t count = (size_t)PyTuple_Size(values), size = 4;
    while (size < 4 * count) {
        size *= 2;
    }
    if (count >= UINT32_MAX - 1) {
        PyErr_SetString(PyExc_ValueError, "values: too many for one attribute");
        return -1;
    }
    vocabulary->slots = PyMem_Malloc(size * sizeof(Slot));
    if (vocabulary->slots == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    vocabulary->mask = size - 1;
    vocabulary->count = (uint32_t)count;
    vocabulary->factor = UINT64_C(0x9E3779B97F4A7C15);
    int tries = count <= FEW_VALUES ? MOST_TRIES : 1;
    Py_ssize_t displaced = 1;
    while (displaced > 0 && tries-- > 0) {
        memset(vocabulary->slots, 0, size * sizeof(Slot));
        vocabulary->factor += UINT64_C(0x5851F42D4C957F2E);
        displaced = fill_slots(values, vocabulary);
    }
    return displaced < 0 ? -1 : 0;
}
