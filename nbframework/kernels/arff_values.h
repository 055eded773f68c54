/* The declared values of an attribute, in a table of slots that its cells are looked up in. */
#ifndef NBFRAMEWORK_ARFF_VALUES_H
#define NBFRAMEWORK_ARFF_VALUES_H

#include "arff_bytes.h"
#include "kernels.h"

typedef struct {
    uint64_t head;
    const char *text;
    uint32_t length;
    uint32_t code;
    int bare;
} Slot;

typedef struct {
    Slot *slots;
    size_t mask;
    uint64_t factor;
    uint32_t count;
} Vocabulary;

static inline uint64_t
mixed(uint64_t hash, uint64_t factor)
{
    hash *= factor;
    return hash ^ (hash >> 32);
}

/* The slot that holds a text, or the free slot for it; counts the slots of others before it. */
static inline Slot *
find_slot(const Vocabulary *vocabulary, uint64_t head, const char *text, size_t length, Py_ssize_t *displaced)
{
    uint64_t hash = mixed(head ^ (uint64_t)length << 56, vocabulary->factor);
    for (size_t i = 8; i < length; i += 8) {
        hash = mixed(hash ^ head_of(text + i, length - i), vocabulary->factor);
    }
    for (size_t place = (size_t)hash & vocabulary->mask;; place = (place + 1) & vocabulary->mask) {
        Slot *slot = &vocabulary->slots[place];
        if (slot->text == NULL || (slot->head == head && slot->length == length &&
                                   (length <= 8 || memcmp(slot->text + 8, text + 8, length - 8) == 0))) {
            return slot;
        }
        ++*displaced;
    }
}

/* Build the table of a tuple of bytes; -1 with an exception. */
int build_vocabulary(PyObject *values, Vocabulary *vocabulary);

#endif
