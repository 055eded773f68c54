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
#define MOST_DIGITS 19
#define LARGEST_EXPONENT 99999

/* --- declared values -------------------------------------------------------------------------------------------- */

typedef struct {
    uint64_t head;
    const char *text;
    uint32_t length;
    uint32_t code;
} Slot;

typedef struct {
    Slot *slots;
    size_t mask;
    uint32_t count;
} Vocabulary;

/* The first eight bytes, or fewer with zeros behind them; bytes up to `end` may be read. */
static inline uint64_t
head_of(const char *text, size_t length, const char *end)
{
    uint64_t head = 0;
    if (length >= 8) {
        memcpy(&head, text, 8);
        return head;
    }
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (end - text >= 8) {
        memcpy(&head, text, 8);
        return length ? head & (UINT64_MAX >> (64 - 8 * length)) : 0;
    }
#else
    (void)end;
#endif
    memcpy(&head, text, length);
    return head;
}

static inline uint64_t
mixed(uint64_t hash)
{
    hash *= UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ (hash >> 32);
}

static inline uint64_t
hash_of(uint64_t head, const char *text, size_t length, const char *end)
{
    uint64_t hash = mixed(head ^ (uint64_t)length << 56);
    for (size_t i = 8; i < length; i += 8) {
        hash = mixed(hash ^ head_of(text + i, length - i < 8 ? length - i : 8, end));
    }
    return hash;
}

/* The slot that holds a text, or the free slot for it. */
static inline Slot *
find_slot(const Vocabulary *vocabulary, const char *text, size_t length, const char *end)
{
    uint64_t head = head_of(text, length, end);
    size_t place = (size_t)hash_of(head, text, length, end) & vocabulary->mask;
    for (;;) {
        Slot *slot = &vocabulary->slots[place];
        if (slot->text == NULL || (slot->head == head && slot->length == length &&
                                   (length <= 8 || memcmp(slot->text + 8, text + 8, length - 8) == 0))) {
            return slot;
        }
        place = (place + 1) & vocabulary->mask;
    }
}

static int
build_vocabulary(PyObject *values, Vocabulary *vocabulary)
{
    size_t count = (size_t)PyTuple_Size(values), size = 4;
    while (size < 3 * count) {
        size *= 2;
    }
    if (count >= UINT32_MAX - 1) {
        PyErr_SetString(PyExc_ValueError, "values: too many for one attribute");
        return -1;
    }
    vocabulary->slots = PyMem_Calloc(size, sizeof(Slot));
    if (vocabulary->slots == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    vocabulary->mask = size - 1;
    vocabulary->count = (uint32_t)count;
    for (size_t code = 0; code < count; code++) {
        char *text;
        Py_ssize_t length;
        if (PyBytes_AsStringAndSize(PyTuple_GetItem(values, (Py_ssize_t)code), &text, &length) < 0) {
            return -1;
        }
        if ((size_t)length >= UINT32_MAX) {
            PyErr_SetString(PyExc_ValueError, "values: one is too long");
            return -1;
        }
        Slot *slot = find_slot(vocabulary, text, (size_t)length, text + length);
        if (slot->text != NULL) {
            PyErr_Format(PyExc_ValueError, "values: value %zu of an attribute equals value %lu", code,
                         (unsigned long)slot->code);
            return -1;
        }
        *slot = (Slot){head_of(text, (size_t)length, text + length), text, (uint32_t)length, (uint32_t)code};
    }
    return 0;
}

/* --- numbers ---------------------------------------------------------------------------------------------------- */

static const double POWER_OF_TEN[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

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

typedef enum { NO_NUMBER, NUMBER, LONG_NUMBER } NumberKind;

/* Read the longest decimal number at `text`; LONG_NUMBER where its value is left to the interpreter. */
static NumberKind
scan_number(const char *text, const char *end, const char **behind, double *value)
{
    const char *p = text;
    int negative = 0, any = 0, exponent = 0, count = 0;
    uint64_t digits = 0;
    if (p < end && (*p == '-' || *p == '+')) {
        negative = *p == '-';
        p++;
    }
    for (; p < end && is_digit(*p); p++) {
        any = 1;
        if (count < MOST_DIGITS) {
            digits = digits * 10 + (uint64_t)(*p - '0');
        }
        count += digits != 0;
    }
    if (p < end && *p == '.') {
        const char *point = ++p;
        for (; p < end && is_digit(*p); p++) {
            any = 1;
            if (count < MOST_DIGITS) {
                digits = digits * 10 + (uint64_t)(*p - '0');
            }
            count += digits != 0;
        }
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
    if (digits == 0) {
        *value = negative ? -0.0 : 0.0;
        return NUMBER;
    }
    if (count > MOST_DIGITS || FLT_EVAL_METHOD != 0) {
        return LONG_NUMBER;
    }
    double number;
    if (digits <= UINT64_C(9007199254740992) && exponent >= -22 && exponent <= 22) {
        number = exponent < 0 ? (double)digits / POWER_OF_TEN[-exponent] : (double)digits * POWER_OF_TEN[exponent];
#ifdef __SIZEOF_INT128__
    } else if (exponent >= -LARGEST_WIDE && exponent <= LARGEST_WIDE) {
        number = scaled_exactly(digits, exponent);
#endif
    } else {
        return LONG_NUMBER;
    }
    *value = negative ? -number : number;
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

/* What a byte may do: be part of a bare word, or end one. */
#define IN_WORD 1
#define BEHIND 2

static unsigned char ROLE[256];

static void
prepare_roles(void)
{
    for (int byte = 0; byte < 256; byte++) {
        ROLE[byte] = byte > 0x20 && !strchr(",{}'\"%", byte) ? IN_WORD : 0;
    }
    ROLE[','] = ROLE[' '] = ROLE['\t'] = ROLE['\n'] = ROLE['\r'] = BEHIND;
}

static inline unsigned char
role(char byte)
{
    return ROLE[(unsigned char)byte];
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

static const char *
read_value(Scan *scan, Cells *cells, const char *p)
{
    const char *end = scan->end, *behind, *next;
    uint32_t code;
    if (p == end) {
        return NULL;
    }
    if (*p == '\'' || *p == '"') {
        behind = closing_quote(p + 1, end, *p);
        if (behind == NULL) {
            return NULL;
        }
        p++;
        next = behind + 1;
    } else {
        for (behind = p; behind < end && role(*behind) == IN_WORD; behind++) {
        }
        if (behind == p) {
            return NULL;
        }
        next = behind;
    }
    if (next == behind && behind - p == 1 && *p == '?') {
        code = cells->vocabulary.count + 1;
    } else {
        size_t length = (size_t)(behind - p);
        if (length >= UINT32_MAX) {
            return NULL;
        }
        const Slot *slot = find_slot(&cells->vocabulary, p, length, end);
        if (slot->text == NULL) {
            return NULL;
        }
        code = slot->code;
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
        if (p == NULL || (p < end && role(*p) != BEHIND)) {
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
    prepare_roles();
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
