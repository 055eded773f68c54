/* The scan of plain CSV rows: fields, numbers, and the texts of a column. */

#include "csv_scan.h"
#include "arff_numbers.h"
#include "scan_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 16

/* A field without its quotes and the blanks at its ends. */
typedef struct {
    const char *text;
    size_t length;
} Field;

static inline int
is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

static inline int
ends_field(const char *p, const char *end)
{
    return p == end || *p == ',' || *p == '\n' || *p == '\r';
}

static inline const char *
skip_blanks(const char *p, const char *end)
{
    while (p < end && is_blank(*p)) {
        p++;
    }
    return p;
}

#if BY_EIGHT
/* A mark at the first comma or control character; those behind it may be wrong. */
static inline uint64_t
ends_in(uint64_t eight)
{
    uint64_t commas = eight ^ EACH(',');
    return (((commas - EACH(1)) & ~commas) | ((eight - EACH(' ')) & ~eight)) & EACH(0x80);
}
#endif

/* The first comma, or control character other than the tabulator, from p on. */
static inline const char *
end_of_bare(const char *p, const char *end)
{
    for (;;) {
#if BY_EIGHT
        while (end - p >= 8) {
            uint64_t eight;
            memcpy(&eight, p, 8);
            uint64_t found = ends_in(eight);
            if (found != 0) {
                p += __builtin_ctzll(found) >> 3;
                break;
            }
            p += 8;
        }
#endif
        while (p < end && *p != ',' && (unsigned char)*p >= ' ') {
            p++;
        }
        if (p == end || *p != '\t') {
            return p;
        }
        p++;
    }
}

/* The closing quote, where neither an end of a line nor another control character comes first. */
static inline const char *
end_of_quoted(const char *p, const char *end)
{
    while (p < end && *p != '"' && ((unsigned char)*p >= ' ' || *p == '\t')) {
        p++;
    }
    return p < end && *p == '"' ? p : NULL;
}

/* Read a field; the place behind it, or NULL where it is not plain. */
static inline const char *
read_field(const char *p, const char *end, Field *field)
{
    const char *stop, *behind;
    if (p < end && *p == '"') {
        stop = end_of_quoted(++p, end);
        behind = stop == NULL ? NULL : stop + 1;
    } else {
        behind = stop = end_of_bare(p, end);
    }
    if (behind == NULL || !ends_field(behind, end)) {
        return NULL;
    }
    p = skip_blanks(p, stop);
    while (stop > p && is_blank(stop[-1])) {
        stop--;
    }
    *field = (Field){p, (size_t)(stop - p)};
    return behind;
}

/* Read a field with its first eight bytes, zeros behind a shorter one; the place behind it, or NULL where it is not
 * plain. */
static inline const char *
read_headed(const char *p, const char *end, Field *field, uint64_t *head)
{
#if BY_EIGHT
    if (end - p >= 8 && *p != '"' && *p != ' ') {
        uint64_t eight;
        memcpy(&eight, p, 8);
        uint64_t found = ends_in(eight);
        if (found != 0) {
            size_t length = (size_t)__builtin_ctzll(found) >> 3;
            if (ends_field(p + length, end) && (length == 0 || p[length - 1] != ' ')) {
                *head = eight & ((found & -found) - 1) >> 7;
                *field = (Field){p, length};
                return p + length;
            }
        }
    }
#endif
    p = read_field(p, end, field);
    *head = p == NULL ? 0 : head_of(field->text, field->length);
    return p;
}

/* The place behind the decimal number at p, which is written; NULL where there is none. */
static inline const char *
convert(Scan *scan, const char *p, const char *end, double *number)
{
    const char *behind;
    NumberKind kind = scan_number(p, end, &behind, number);
    if (kind == NO_NUMBER ||
        (kind == LONG_NUMBER && !convert_number(&scan->state, p, (size_t)(behind - p), number))) {
        return NULL;
    }
    return behind;
}

static inline const char *
read_number(Scan *scan, Fields *fields, const char *p)
{
    double *number = &fields->numbers[scan->row];
    const char *behind = convert(scan, skip_blanks(p, scan->end), scan->end, number);
    if (behind != NULL) {
        behind = skip_blanks(behind, scan->end);
        if (ends_field(behind, scan->end)) {
            return behind;
        }
    }
    Field field;
    uint64_t head;
    Py_ssize_t displaced = 0;
    p = read_headed(p, scan->end, &field, &head);
    if (p == NULL) {
        return NULL;
    }
    const char *end = field.text + field.length;
    if (find_slot(&scan->unknown, head, field.text, field.length, &displaced)->text != NULL) {
        *number = NAN;
    } else if (convert(scan, field.text, end, number) != end) {
        fields->failed = scan->row + 1;
        fields->form = SKIPPED;
    }
    return p;
}

int
start_texts(Vocabulary *texts)
{
    *texts = (Vocabulary){calloc(FIRST_SLOTS, sizeof(Slot)), FIRST_SLOTS - 1, UINT64_C(0x9E3779B97F4A7C15), 0};
    return texts->slots == NULL ? -1 : 0;
}

static int
double_slots(Vocabulary *texts)
{
    Py_ssize_t displaced = 0;
    Vocabulary larger = *texts;
    larger.mask = 2 * texts->mask + 1;
    larger.slots = calloc(larger.mask + 1, sizeof(Slot));
    if (larger.slots == NULL) {
        return -1;
    }
    for (size_t i = 0; i <= texts->mask; i++) {
        const Slot *slot = &texts->slots[i];
        if (slot->text != NULL) {
            *find_slot(&larger, slot->head, slot->text, slot->length, &displaced) = *slot;
        }
    }
    free(texts->slots);
    *texts = larger;
    return 0;
}

static inline const char *
read_text(Scan *scan, Fields *fields, const char *p)
{
    Field field;
    uint64_t head;
    Py_ssize_t displaced = 0;
    p = read_headed(p, scan->end, &field, &head);
    if (p == NULL) {
        return NULL;
    }
    Vocabulary *texts = &fields->texts;
    Slot *slot = find_slot(texts, head, field.text, field.length, &displaced);
    if (slot->text == NULL && 2 * (size_t)texts->count > texts->mask) {
        if (double_slots(texts) < 0) {
            scan->no_memory = 1;
            return NULL;
        }
        slot = find_slot(texts, head, field.text, field.length, &displaced);
    }
    if (slot->text == NULL) {
        *slot = (Slot){head, field.text, (uint32_t)field.length, texts->count++, 0};
    }
    fields->codes[scan->row] = slot->code;
    return p;
}

/* Read the fields of one row; the place behind its line end, or NULL where the row is not plain. */
static const char *
read_row(Scan *scan, const char *p)
{
    const char *end = scan->end;
    for (size_t j = 0; j < scan->width; j++) {
        Fields *fields = &scan->fields[j];
        Field skipped;
        p = fields->form == NUMBERS ? read_number(scan, fields, p)
            : fields->form == TEXTS ? read_text(scan, fields, p)
                                    : read_field(p, end, &skipped);
        if (p == NULL) {
            return NULL;
        }
        if (j + 1 < scan->width) {
            if (p == end || *p != ',') {
                return NULL;
            }
            p++;
        }
    }
    if (p < end && *p == '\r') {
        p++;
        return p < end && *p == '\n' ? p + 1 : NULL;
    }
    return p == end ? p : *p == '\n' ? p + 1 : NULL;
}

const char *
read_csv_rows(Scan *scan, const char *p)
{
    while (p < scan->end) {
        const char *line = p;
        if (*p == '\n' || (*p == '\r' && scan->end - p > 1 && p[1] == '\n')) {
            p += *p == '\n' ? 1 : 2;
            continue;
        }
        p = scan->row < scan->capacity ? read_row(scan, p) : NULL;
        if (p == NULL) {
            return line;
        }
        scan->row++;
    }
    return scan->end;
}
