/* arff_rows: the plain rows of an ARFF data section, in one pass, to columns.
 *
 * Plain are dense rows of decimal numbers, declared values with or without quotes, and bare question marks; blank
 * lines and comments are skipped. The scan stops at the start of the first line that holds anything else, so that a
 * careful reader can take over there: what is accepted here means the same there.
 */

#include "kernels.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define LONGEST_NUMBER 511
#define FEW_VALUES 64
#define MOST_TRIES 40
#define MOST_DIGITS 19
#define LARGEST_EXPONENT 99999

/* Eight bytes at a time, the first one lowest, where the compiler has what it takes. */
#if defined(__GNUC__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define BY_EIGHT 1
#else
#define BY_EIGHT 0
#endif
#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* --- declared values -------------------------------------------------------------------------------------------- */

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

/* The first eight bytes, or fewer with zeros behind them. */
static inline uint64_t
head_of(const char *text, size_t length)
{
    uint64_t head = 0;
    memcpy(&head, text, length < 8 ? length : 8);
    return head;
}

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
static int
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

/* --- numbers ---------------------------------------------------------------------------------------------------- */

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

/* Read a run of digits; the place behind it. */
static inline const char *
read_digits(const char *p, const char *end, Digits *digits)
{
#if BY_EIGHT
    while (end - p >= 8) {
        uint64_t eight;
        memcpy(&eight, p, 8);
        eight ^= EACH('0');
        uint64_t others = ((eight + EACH(0x80 - 10)) | eight) & EACH(0x80);
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
        eight = eight * 10 + (eight >> 8);
        eight = ((eight & UINT64_C(0x000000FF000000FF)) * (100 + (UINT64_C(1000000) << 32)) +
                 (eight >> 16 & UINT64_C(0x000000FF000000FF)) * (1 + (UINT64_C(10000) << 32))) >>
                32;
        digits->value = digits->value * SHIFTED[run] + eight;
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

/* --- rows ------------------------------------------------------------------------------------------------------- */

typedef struct {
    int numeric;
    Py_buffer buffer;
    int open;
    char *out;
    Py_ssize_t size;
    Vocabulary vocabulary;
} Cells;

typedef struct {
    const char *end;
    Cells *cells;
    size_t width;
    size_t capacity;
    size_t row;
    PyThreadState *state;
} Scan;

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

/* Convert by the interpreter, which takes its lock for a moment. */
static int
convert_long(Scan *scan, const char *text, size_t length, double *value)
{
    char copy[LONGEST_NUMBER + 1];
    if (length > LONGEST_NUMBER) {
        return 0;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    PyEval_RestoreThread(scan->state);
    *value = PyOS_string_to_double(copy, NULL, NULL);
    int failed = PyErr_Occurred() != NULL;
    PyErr_Clear();
    scan->state = PyEval_SaveThread();
    return !failed && !isinf(*value);
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
        (kind == LONG_NUMBER && !convert_long(scan, p + quoted, (size_t)(behind - p - quoted), out))) {
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

/* Read rows up to the end or the first line that is not plain; the place reached. */
static const char *
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

/* --- the calls -------------------------------------------------------------------------------------------------- */

typedef struct {
    Py_buffer buffer;
    int open;
    const char *text;
    size_t length;
} Text;

static int
open_text(PyObject *object, Text *text)
{
    text->open = 0;
    if (PyUnicode_Check(object)) {
        Py_ssize_t length;
        text->text = PyUnicode_AsUTF8AndSize(object, &length);
        text->length = (size_t)length;
        return text->text == NULL ? -1 : 0;
    }
    if (PyObject_GetBuffer(object, &text->buffer, PyBUF_SIMPLE) < 0) {
        return -1;
    }
    text->open = 1;
    text->text = text->buffer.buf;
    text->length = (size_t)text->buffer.len;
    return 0;
}

static void
close_text(Text *text)
{
    if (text->open) {
        PyBuffer_Release(&text->buffer);
    }
}

static int
check_start(const Text *text, Py_ssize_t start)
{
    if (start < 0 || (size_t)start > text->length) {
        PyErr_Format(PyExc_ValueError, "start: expected 0 to %zu, found %zd", text->length, start);
        return -1;
    }
    return 0;
}

DISPATCHED static size_t
count_lines(const char *text, size_t length)
{
    size_t lines = 1, i = 0;
    while (i + 1 < length) {
        size_t stop = i + 255 * 16 < length - 1 ? i + 255 * 16 : length - 1;
        uint32_t found = 0;
        for (; i < stop; i++) {
            found += (text[i] == '\n') | ((text[i] == '\r') & (text[i + 1] != '\n'));
        }
        lines += found;
    }
    return lines;
}

/* arff_lines(data, start) -> the number of lines, an upper bound for the rows. */
PyObject *
kernel_arff_lines(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *data, *result = NULL;
    Py_ssize_t start;
    if (!PyArg_ParseTuple(arguments, "On:arff_lines", &data, &start)) {
        return NULL;
    }
    Text text;
    if (open_text(data, &text) < 0) {
        return NULL;
    }
    if (check_start(&text, start) == 0) {
        size_t lines;
        Py_BEGIN_ALLOW_THREADS
        lines = count_lines(text.text + start, text.length - (size_t)start);
        Py_END_ALLOW_THREADS
        result = PyLong_FromSize_t(lines);
    }
    close_text(&text);
    return result;
}

static int
open_cells(PyObject *values, PyObject *column, Cells *cells)
{
    if (PyObject_GetBuffer(column, &cells->buffer, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | PyBUF_WRITABLE) < 0) {
        return -1;
    }
    cells->open = 1;
    cells->numeric = values == Py_None;
    cells->out = cells->buffer.buf;
    cells->size = cells->buffer.itemsize;
    const char *format = cells->buffer.format ? cells->buffer.format : "";
    if (cells->buffer.ndim != 1 || cells->size < 1 || (uintptr_t)cells->out % (size_t)cells->size != 0 ||
        strlen(format) != 1 || strchr(cells->numeric ? "d" : "BHIL", format[0]) == NULL) {
        PyErr_SetString(PyExc_TypeError, "columns: expected float64 for numbers and unsigned integers for codes");
        return -1;
    }
    if (cells->numeric) {
        return 0;
    }
    if (!PyTuple_Check(values)) {
        PyErr_SetString(PyExc_TypeError, "values: expected None or a tuple for each attribute");
        return -1;
    }
    if (build_vocabulary(values, &cells->vocabulary) < 0) {
        return -1;
    }
    uint64_t unknown = (uint64_t)cells->vocabulary.count + 1;
    if (cells->size > 4 || unknown >= UINT64_C(1) << (8 * cells->size)) {
        PyErr_SetString(PyExc_ValueError, "columns: expected 8, 16 or 32 bits, enough for the codes");
        return -1;
    }
    return 0;
}

/* arff_rows(data, start, values, columns) -> (rows, position). */
PyObject *
kernel_arff_rows(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *data, *values, *columns, *result = NULL;
    Py_ssize_t start;
    if (!PyArg_ParseTuple(arguments, "OnO!O!:arff_rows", &data, &start, &PyTuple_Type, &values, &PyTuple_Type,
                          &columns)) {
        return NULL;
    }
    Text text;
    Scan scan = {.width = (size_t)PyTuple_Size(values)};
    if (open_text(data, &text) < 0) {
        return NULL;
    }
    if (check_start(&text, start) < 0) {
        goto done;
    }
    if (PyTuple_Size(columns) != (Py_ssize_t)scan.width) {
        PyErr_SetString(PyExc_ValueError, "columns: expected one for each attribute");
        goto done;
    }
    scan.cells = PyMem_Calloc(scan.width ? scan.width : 1, sizeof(Cells));
    if (scan.cells == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    for (size_t j = 0; j < scan.width; j++) {
        PyObject *declared = PyTuple_GetItem(values, (Py_ssize_t)j), *column = PyTuple_GetItem(columns, (Py_ssize_t)j);
        if (open_cells(declared, column, &scan.cells[j]) < 0) {
            goto done;
        }
        if (j > 0 && scan.cells[j].buffer.shape[0] != scan.cells[0].buffer.shape[0]) {
            PyErr_SetString(PyExc_ValueError, "columns: expected the same length");
            goto done;
        }
    }
    scan.capacity = scan.width ? (size_t)scan.cells[0].buffer.shape[0] : 0;
    scan.end = text.text + text.length;
    scan.state = PyEval_SaveThread();
    const char *reached = read_rows(&scan, text.text + start);
    PyEval_RestoreThread(scan.state);
    result = Py_BuildValue("nn", (Py_ssize_t)scan.row, (Py_ssize_t)(reached - text.text));
done:
    for (size_t j = 0; scan.cells != NULL && j < scan.width; j++) {
        if (scan.cells[j].open) {
            PyBuffer_Release(&scan.cells[j].buffer);
        }
        PyMem_Free(scan.cells[j].vocabulary.slots);
    }
    PyMem_Free(scan.cells);
    close_text(&text);
    return result;
}
