/* What the kernels share: views of the arrays they are given, checked loads of codes, and faults.
 *
 * A kernel opens its arguments with the interpreter lock held, works on them without it, and raises what it found
 * wrong afterwards. Codes are copied to a small buffer and checked there before they become an index, so that not
 * even an array that another thread changes meanwhile leads outside the memory of a kernel.
 */
#ifndef NBFRAMEWORK_KERNELS_H
#define NBFRAMEWORK_KERNELS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stddef.h>
#include <stdint.h>

/* One function, compiled several times, the best one chosen when the module is loaded. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) && !defined(KERNELS_BASELINE)
#if __GNUC__ >= 12
#define DISPATCHED __attribute__((target_clones("arch=icelake-server", "arch=x86-64-v4", "avx2", "default")))
#else
#define DISPATCHED __attribute__((target_clones("avx2", "default")))
#endif
#else
#define DISPATCHED
#endif

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

/* A function that is compiled for processors with vectors of eight doubles, and whether this is one. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && !defined(KERNELS_BASELINE) && __GNUC__ >= 12
#define WIDE __attribute__((target("arch=x86-64-v4")))
#define HAS_WIDE                                                                                                      \
    (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") && \
     __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
#define WIDE_BITS __attribute__((target("arch=x86-64-v4,avx512vpopcntdq")))
#define WIDE_FUNCTIONS 1
#define HAS_WIDE_BITS (HAS_WIDE && __builtin_cpu_supports("avx512vpopcntdq"))
#else
#define WIDE
#define HAS_WIDE 0
#define WIDE_FUNCTIONS 0
#define WIDE_BITS
#define HAS_WIDE_BITS 0
#endif

/* Doubles side by side, one where the compiler has no such type. */
#if defined(__GNUC__)
#define WIDTH 4
#define WIDE_WIDTH 8
typedef double Pair __attribute__((vector_size(2 * sizeof(double))));
typedef double Lanes __attribute__((vector_size(WIDTH * sizeof(double))));
typedef double WideLanes __attribute__((vector_size(WIDE_WIDTH * sizeof(double))));
#else
#define WIDTH 1
#define WIDE_WIDTH 1
typedef double Pair;
typedef double Lanes;
typedef double WideLanes;
#endif

/* Bytes of a cache line, the first place in a piece of memory where one starts, so that no vector lies across two, and
 * a request for the one at an address. */
#define LINE 64
#define ALIGNED(memory) ((void *)(((uintptr_t)(memory) + LINE - 1) / LINE * LINE))
#if defined(__GNUC__)
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address) ((void)(address))
#endif

/* Rows that the loops take at a time, so that their buffers stay in the first cache. */
#define BLOCK_ROWS 2048

typedef enum { U8, U16, U32, U64, I8, I16, I32, I64 } IntegerKind;

/* A one-dimensional array of integers of any width, sign and stride. */
typedef struct {
    Py_buffer buffer;
    const char *data;
    ptrdiff_t stride;
    size_t length;
    IntegerKind kind;
    int open;
} Integers;

/* An array of doubles in C order. */
typedef struct {
    Py_buffer buffer;
    double *data;
    size_t length;
    int open;
} Doubles;

/* A two-dimensional array of doubles of any strides, which are counted in doubles. */
typedef struct {
    Py_buffer buffer;
    const double *data;
    ptrdiff_t row_stride;
    ptrdiff_t column_stride;
    size_t rows;
    size_t columns;
    int open;
} Matrix;

/* What a loop without the interpreter lock has to say. */
typedef enum { FINE, BAD_CODE, BAD_CLASS, BAD_ROW, BAD_GROUP, BAD_LEFT_OUT, NO_MEMORY } FaultKind;

typedef struct {
    FaultKind kind;
    size_t column;
    size_t row;
} Fault;

/* Open an argument; -1 with an exception where it is not such an array. */
int open_integers(PyObject *object, const char *name, Integers *array);
int open_doubles(PyObject *object, const char *name, int dimensions, int writable, Doubles *array);
int open_matrix(PyObject *object, const char *name, Matrix *array);
void close_integers(Integers *array);
void close_doubles(Doubles *array);
void close_matrix(Matrix *array);

/* Open the columns in a tuple, all of the same length; NULL with an exception otherwise. */
Integers *open_columns(PyObject *tuple, size_t *count, size_t *length);
void close_columns(Integers *columns, size_t count);

/* Read the (count + 1) ascending block borders that end at `width`; NULL with an exception otherwise. */
size_t *read_offset(PyObject *object, size_t count, size_t width);

/* Copy array[start ... start + count] to `out`; returns the position of the first element that is not below `limit`,
 * or `count` where there is none. */
size_t load_codes(const Integers *array, size_t start, size_t count, uint32_t limit, uint32_t *out);

/* The same for array[rows[0 ... count]], rows being inside the array. */
size_t gather_codes(const Integers *array, const size_t *rows, size_t count, uint32_t limit, uint32_t *out);

/* Copy row indexes; returns the position of the first one that is not below `limit`, or `count`. */
size_t load_rows(const Integers *array, size_t start, size_t count, size_t limit, size_t *out);

/* The same, with SIZE_MAX for a negative number, which stands for none. */
size_t load_optional_rows(const Integers *array, size_t start, size_t count, size_t limit, size_t *out);

/* The elements from `start` on as they lie in memory, NULL where they are no neighbouring unsigned bytes. */
const uint8_t *dense_bytes(const Integers *array, size_t start);

/* All elements as row numbers as they lie in memory, NULL where they are no neighbouring integers of that size; a
 * negative one is larger than any row. */
const size_t *dense_rows(const Integers *array);

/* A number of codes as a limit for them, and the width of block j as one. */
uint32_t limit_of(size_t count);
uint32_t block_width(const size_t *offset, size_t j);

/* Memory for a large array that is filled from its start, to be given back with `free`; in huge pages where the system
 * has them, because asking for each small one takes longer than filling it. */
void *large_memory(size_t bytes);

/* Raise the exception for a fault; returns NULL. */
PyObject *raise_fault(Fault fault);

/* None, or NULL with the exception for a fault. */
PyObject *none_or_raise(Fault fault);

/* Make what the kernels keep; once, when the module is loaded. */
void keep_logs(void);

/* The kernels. */
PyObject *kernel_class_counts(PyObject *module, PyObject *arguments);
PyObject *kernel_pair_counts(PyObject *module, PyObject *arguments);
PyObject *kernel_log_scores(PyObject *module, PyObject *arguments);
PyObject *kernel_group_scores(PyObject *module, PyObject *arguments);
PyObject *kernel_squared_distances(PyObject *module, PyObject *arguments);
PyObject *kernel_nearest_rows(PyObject *module, PyObject *arguments);
PyObject *kernel_smallest(PyObject *module, PyObject *arguments);
PyObject *kernel_kappa_sums(PyObject *module, PyObject *arguments);
PyObject *kernel_power_sums(PyObject *module, PyObject *arguments);
PyObject *kernel_conditional_likelihood_ascent(PyObject *module, PyObject *arguments);
PyObject *kernel_log_posteriors(PyObject *module, PyObject *arguments);
PyObject *kernel_best_classes(PyObject *module, PyObject *arguments);
PyObject *kernel_interval_codes(PyObject *module, PyObject *arguments);
PyObject *kernel_entropy_cuts(PyObject *module, PyObject *arguments);
PyObject *kernel_column_cuts(PyObject *module, PyObject *arguments);
PyObject *kernel_parent_sums(PyObject *module, PyObject *arguments);
PyObject *kernel_node_cuts(PyObject *module, PyObject *arguments);
PyObject *kernel_tree_sums(PyObject *module, PyObject *arguments);
PyObject *kernel_gaussian_scores(PyObject *module, PyObject *arguments);
PyObject *kernel_count_scores(PyObject *module, PyObject *arguments);
PyObject *kernel_threshold_scores(PyObject *module, PyObject *arguments);
PyObject *kernel_class_totals(PyObject *module, PyObject *arguments);
PyObject *kernel_threshold_totals(PyObject *module, PyObject *arguments);
PyObject *kernel_class_moments(PyObject *module, PyObject *arguments);
PyObject *kernel_arff_lines(PyObject *module, PyObject *arguments);
PyObject *kernel_arff_rows(PyObject *module, PyObject *arguments);
PyObject *kernel_csv_rows(PyObject *module, PyObject *arguments);

#endif
