/* The nodes and columns of a tree: opened, and checked so that no way down leads outside the memory or goes on without
 * end.
 */

#include "trees.h"

#include <math.h>
#include <string.h>

/* Open one column of codes or numbers, whichever it has. */
static int
open_tree_column(PyObject *object, TreeColumn *column)
{
    Py_buffer buffer;
    if (object == NULL || PyObject_GetBuffer(object, &buffer, PyBUF_STRIDES | PyBUF_FORMAT) < 0) {
        return -1;
    }
    column->is_code = buffer.format == NULL || strcmp(buffer.format, "d") != 0;
    PyBuffer_Release(&buffer);
    return column->is_code ? open_integers(object, "columns", &column->codes)
                           : open_doubles(object, "columns", 1, 0, &column->numbers);
}

int
open_tree_columns(PyObject *tuple, Tree *tree)
{
    Py_ssize_t count = PyTuple_Size(tuple);
    if (count < 0) {
        return -1;
    }
    tree->columns = PyMem_Calloc((size_t)count + 1, sizeof *tree->columns);
    if (tree->columns == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    tree->column_count = (size_t)count;
    for (size_t j = 0; j < tree->column_count; j++) {
        TreeColumn *column = &tree->columns[j];
        if (open_tree_column(PyTuple_GetItem(tuple, (Py_ssize_t)j), column) < 0) {
            return -1;
        }
        size_t length = column->is_code ? column->codes.length : column->numbers.length;
        if (length != tree->rows) {
            PyErr_Format(PyExc_ValueError, "columns: column %zu has %zu rows, expected %zu", j, length, tree->rows);
            return -1;
        }
    }
    return 0;
}

/* Copy as many integers as there are nodes; what is negative or needs more than 32 bits becomes too large for any. */
static int
read_numbers(PyObject *object, const char *name, size_t count, uint32_t *out)
{
    Integers array;
    if (open_integers(object, name, &array) < 0) {
        return -1;
    }
    int fits = array.length == count;
    if (fits) {
        load_codes(&array, 0, count, UINT32_MAX, out);
    } else {
        PyErr_Format(PyExc_ValueError, "%s: expected %zu, one for each node, found %zu", name, count, array.length);
    }
    close_integers(&array);
    return fits ? 0 : -1;
}

/* Say what is wrong with an inner node, or mark its children as taken; NULL where all is right. */
static const char *
check_node(const Tree *tree, size_t i, uint32_t attribute, uint8_t *taken)
{
    const Node *node = &tree->nodes[i];
    if (attribute >= tree->column_count) {
        return "tests no column";
    }
    if (node->first_child <= i || node->first_child >= tree->count ||
        node->branches > tree->count - node->first_child) {
        return "has children that are not behind it";
    }
    if (isnan(node->cut) != tree->columns[attribute].is_code) {
        return isnan(node->cut) ? "has a branch for each code, but tests numbers" : "has a cut, but tests codes";
    }
    if (!isnan(node->cut) && node->branches != 2) {
        return "has a cut, but not two branches";
    }
    for (uint32_t b = 0; b < node->branches; b++) {
        /* a node of two parents would let the ways of a row multiply from level to level */
        if (taken[node->first_child + b]) {
            return "has a child of another node";
        }
        taken[node->first_child + b] = 1;
    }
    return NULL;
}

static int
check_nodes(const Tree *tree, const uint32_t *attribute, uint8_t *taken)
{
    for (size_t i = 0; i < tree->count; i++) {
        const char *fault = tree->nodes[i].branches ? check_node(tree, i, attribute[i], taken) : NULL;
        if (fault != NULL) {
            PyErr_Format(PyExc_ValueError, "node %zu %s", i, fault);
            return -1;
        }
    }
    return 0;
}

/* Make the memory for a block of the tested codes, and let the nodes point to what they test. */
static int
connect_nodes(Tree *tree, const uint32_t *attribute)
{
    size_t tested = 0;
    for (size_t i = 0; i < tree->count; i++) {
        if (tree->nodes[i].branches) {
            TreeColumn *column = &tree->columns[attribute[i]];
            tested += column->is_code && !column->is_tested;
            column->is_tested = 1;
        }
    }
    tree->codes = PyMem_Malloc((tested + 1) * TREE_ROWS * sizeof *tree->codes);
    if (tree->codes == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    uint32_t *place = tree->codes;
    for (size_t j = 0; j < tree->column_count; j++) {
        if (tree->columns[j].is_code && tree->columns[j].is_tested) {
            tree->columns[j].loaded = place;
            place += TREE_ROWS;
        }
    }
    for (size_t i = 0; i < tree->count; i++) {
        if (tree->nodes[i].branches) {
            const TreeColumn *column = &tree->columns[attribute[i]];
            tree->nodes[i].codes = column->loaded;
            tree->nodes[i].numbers = column->is_code ? NULL : column->numbers.data;
        }
    }
    return 0;
}

int
open_nodes(PyObject *attribute, PyObject *cut, PyObject *first_child, PyObject *branches, Tree *tree)
{
    Doubles cuts = {.open = 0};
    uint32_t *read = NULL;
    uint8_t *taken = NULL;
    int result = -1;
    if (open_doubles(cut, "cut", 1, 0, &cuts) < 0) {
        return -1;
    }
    tree->count = cuts.length;
    if (tree->count == 0 || tree->count >= UINT32_MAX) {
        PyErr_Format(PyExc_ValueError, "cut: expected one for each node, at least the root, found %zu", tree->count);
        goto done;
    }
    tree->nodes = PyMem_Calloc(tree->count, sizeof *tree->nodes);
    tree->queue = PyMem_Malloc(tree->count * sizeof *tree->queue);
    tree->fraction = PyMem_Malloc(tree->count * sizeof *tree->fraction);
    read = PyMem_Malloc(3 * tree->count * sizeof *read);
    taken = PyMem_Calloc(tree->count, 1);
    if (!tree->nodes || !tree->queue || !tree->fraction || !read || !taken) {
        PyErr_NoMemory();
        goto done;
    }
    uint32_t *first = read + tree->count, *width = first + tree->count;
    if (read_numbers(attribute, "attribute", tree->count, read) < 0 ||
        read_numbers(first_child, "first_child", tree->count, first) < 0 ||
        read_numbers(branches, "branches", tree->count, width) < 0) {
        goto done;
    }
    for (size_t i = 0; i < tree->count; i++) {
        tree->nodes[i] = (Node){.cut = cuts.data[i], .first_child = first[i], .branches = width[i]};
    }
    if (check_nodes(tree, read, taken) == 0) {
        result = connect_nodes(tree, read);
    }
done:
    PyMem_Free(taken);
    PyMem_Free(read);
    close_doubles(&cuts);
    return result;
}

void
close_tree(Tree *tree)
{
    for (size_t j = 0; j < tree->column_count; j++) {
        close_integers(&tree->columns[j].codes);
        close_doubles(&tree->columns[j].numbers);
    }
    PyMem_Free(tree->columns);
    PyMem_Free(tree->nodes);
    PyMem_Free(tree->codes);
    PyMem_Free(tree->queue);
    PyMem_Free(tree->fraction);
}
