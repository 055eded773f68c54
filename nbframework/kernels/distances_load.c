/* Queries and training rows of a search, loaded with their codes checked. */

#include "distances.h"

#include <string.h>

#define CODE_LIMIT ((uint32_t)1 << 31)

Fault
load_queries(Search *search, size_t first, size_t count)
{
    uint32_t code[SLICE_ROWS];
    search->asked = count;
    for (size_t j = 0; j < search->columns; j++) {
        double *to = search->value + j;
        if (!search->query[j].is_code) {
            const double *from = search->query[j].numbers.data + first;
            for (size_t i = 0; i < count; i++) {
                to[i * search->columns] = from[i];
            }
            continue;
        }
        for (size_t start = 0; start < count; start += SLICE_ROWS) {
            size_t rows = count - start < SLICE_ROWS ? count - start : SLICE_ROWS;
            size_t good = load_codes(&search->query[j].codes, first + start, rows, CODE_LIMIT, code);
            if (good < rows) {
                return (Fault){BAD_CODE, j, first + start + good};
            }
            for (size_t i = 0; i < rows; i++) {
                to[(start + i) * search->columns] = code[i];
            }
        }
    }
    return (Fault){FINE, 0, 0};
}

/* Load codes of one slice as numbers or as bytes, the low byte first. */
static Fault
load_code_slice(Search *search, size_t j, size_t plane, size_t offset, size_t rows)
{
    uint32_t code[SLICE_ROWS];
    size_t good = load_codes(&search->row[j].codes, search->first + offset, rows, CODE_LIMIT, code);
    if (good < rows) {
        return (Fault){BAD_CODE, j, search->first + offset + good};
    }
    if (!search->all_codes) {
        double *to = search->numbers + offset * search->columns + j * SLICE_ROWS;
        for (size_t i = 0; i < rows; i++) {
            to[i] = code[i];
        }
        return (Fault){FINE, 0, 0};
    }
    for (size_t b = 0; b < search->width[j]; b++) {
        uint8_t *to = search->bytes + offset * search->planes + (plane + b) * SLICE_ROWS;
        for (size_t i = 0; i < rows; i++) {
            to[i] = (uint8_t)(code[i] >> 8 * b);
        }
    }
    return (Fault){FINE, 0, 0};
}

static void
load_number_slice(Search *search, size_t j, size_t offset, size_t rows)
{
    const double *from = search->row[j].numbers.data + search->first + offset;
    double *to = search->numbers + offset * search->columns + j * SLICE_ROWS;
    const double low = search->bounds.data[2 * j], high = search->bounds.data[2 * j + 1];
    uint8_t gaps = search->gaps[j];
    for (size_t i = 0; i < rows; i++) {
        gaps |= from[i] != from[i] ? HAS_UNKNOWN : 0;
        gaps |= from[i] < low || from[i] > high ? HAS_OUTSIDE : 0;
        to[i] = from[i];
    }
    search->gaps[j] = gaps;
}

static Fault
load_block(Search *search, size_t first)
{
    size_t left = search->rows - first, count = left < search->block ? left : search->block;
    if (search->loaded > 0 && search->first == first) {
        return (Fault){FINE, 0, 0};
    }
    search->first = first;
    search->loaded = 0;
    memset(search->gaps, 0, search->columns);
    for (size_t offset = 0; offset < count; offset += SLICE_ROWS) {
        size_t rows = count - offset < SLICE_ROWS ? count - offset : SLICE_ROWS, plane = 0;
        for (size_t j = 0; j < search->columns; j++) {
            if (search->row[j].is_code) {
                Fault fault = load_code_slice(search, j, plane, offset, rows);
                if (fault.kind != FINE) {
                    return fault;
                }
                plane += search->all_codes ? search->width[j] : 0;
            } else {
                load_number_slice(search, j, offset, rows);
            }
        }
    }
    search->loaded = count;
    return (Fault){FINE, 0, 0};
}

Fault
load_training(Search *search, size_t first)
{
    Fault fault = load_block(search, first);
    for (size_t q = 0; fault.kind == FINE && !search->all_codes && q < search->asked; q++) {
        plan_query(search, q);
    }
    return fault;
}
