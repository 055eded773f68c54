/* The scan of plain rows: cells, rows, blank lines and comments. */

#include "arff_scan.h"
#include "arff_numbers.h"
#include "scan_text.h"

#include <math.h>
#include <string.h>

/* Whether a byte may stand behind a cell. */
static inline int
ends_cell(char byte)
{
    return byte == ',' || byte == '\n' || byte == ' ' || byte == '\r' || byte == '\t';
}

static inline const char *
skip_blanks(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t')) {
        p++;
    }
    return p;
}

static const char *
end_of_line(const char *p, const char *end)
{
    while (p < end && *p != '\n' && *p != '\r') {
        p++;
    }
    return p;
}

/* The closing quote of the text that starts at p, NULL where there is none or the text has an escape. */
static const char *
closing_quote(const char *p, const char *end, char quote)
{
    for (; p < end && *p != quote; p++) {
        if (*p == '\\' || ((unsigned char)*p < ' ' && *p != '\t')) {
            return NULL;
        }
    }
    return p < end ? p : NULL;
}

/* Read one cell; the place behind it, or NULL where it is not plain. */
static const char *
read_number(Scan *scan, Cells *cells, const char *p)
{
    double *out = (double *)cells->out + scan->row;
    const char *end = scan->end, *behind;
    if (p == end) {
        return NULL;
    }
    if (*p == '?') {
        *out = NAN;
        return p + 1;
    }
    int quoted = *p == '\'' || *p == '"';
    NumberKind kind = scan_number(p + quoted, end, &behind, out);
    if (kind == NO_NUMBER ||
        (kind == LONG_NUMBER && !convert_number(&scan->state, p + quoted, (size_t)(behind - p - quoted), out))) {
        return NULL;
    }
    if (quoted) {
        return behind < end && *behind == *p ? behind + 1 : NULL;
    }
    return behind;
}

/* The end of the bare word at p, and its first eight bytes. */
static inline const char *
end_of_word(const char *p, const char *end, uint64_t *head)
{
    const char *start = p;
#if BY_EIGHT
    if (end - p >= 8) {
        uint64_t eight, commas, blanks;
        memcpy(&eight, p, 8);
        commas = eight ^ EACH(',');
        commas = (commas - EACH(1)) & ~commas;
        blanks = (eight - EACH(' ' + 1)) & ~eight;
        uint64_t ends = (commas | blanks) & EACH(0x80);
        if (ends != 0) {
            *head = eight & ((ends & -ends) - 1) >> 7;
            return p + (__builtin_ctzll(ends) >> 3);
        }
        p += 8;
    }
#endif
    while (p < end && *p != ',' && (unsigned char)*p > ' ') {
        p++;
    }
    *head = head_of(start, (size_t)(p - start));
    return p;
}

static const char *
read_value(Scan *scan, Cells *cells, const char *p)
{
    const char *end = scan->end, *behind, *next;
    uint64_t head;
    uint32_t code;
    Py_ssize_t displaced = 0;
    if (p == end) {
        return NULL;
    }
    int quoted = *p == '\'' || *p == '"';
    if (quoted) {
        behind = closing_quote(p + 1, end, *p);
        if (behind == NULL) {
            return NULL;
        }
        p++;
        next = behind + 1;
        head = head_of(p, (size_t)(behind - p));
    } else {
        next = behind = end_of_word(p, end, &head);
    }
    size_t length = (size_t)(behind - p);
    const Slot *slot = find_slot(&cells->vocabulary, head, p, length, &displaced);
    if (slot->text != NULL && (quoted || slot->bare)) {
        code = slot->code;
    } else if (!quoted && length == 1 && *p == '?') {
        code = cells->vocabulary.count + 1;
    } else {
        return NULL;
    }
    if (cells->size == 1) {
        ((uint8_t *)cells->out)[scan->row] = (uint8_t)code;
    } else if (cells->size == 2) {
        ((uint16_t *)cells->out)[scan->row] = (uint16_t)code;
    } else {
        ((uint32_t *)cells->out)[scan->row] = code;
    }
    return next;
}

/* Read the cells of one row; the place behind its line end, or NULL where the row is not plain. */
static const char *
read_row(Scan *scan, const char *p)
{
    const char *end = scan->end;
    if (scan->width == 0 || scan->row == scan->capacity) {
        return NULL;
    }
    for (size_t j = 0; j < scan->width; j++) {
        Cells *cells = &scan->cells[j];
        p = skip_blanks(p, end);
        p = cells->numeric ? read_number(scan, cells, p) : read_value(scan, cells, p);
        if (p == NULL || (p < end && !ends_cell(*p))) {
            return NULL;
        }
        p = skip_blanks(p, end);
        if (j + 1 < scan->width) {
            if (p == end || *p != ',') {
                return NULL;
            }
            p++;
        }
    }
    if (p < end && *p == '%') {
        p = end_of_line(p, end);
    }
    if (p < end && *p != '\n' && *p != '\r') {
        return NULL;
    }
    return p < end ? p + 1 : p;
}

const char *
read_rows(Scan *scan, const char *p)
{
    while (p < scan->end) {
        const char *line = p;
        p = skip_blanks(p, scan->end);
        if (p < scan->end && *p == '%') {
            p = end_of_line(p, scan->end);
        }
        if (p == scan->end) {
            break;
        }
        if (*p == '\n' || *p == '\r') {
            p++;
            continue;
        }
        p = read_row(scan, p);
        if (p == NULL) {
            return line;
        }
        scan->row++;
    }
    return scan->end;
}
