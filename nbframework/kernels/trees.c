/* tree_sums: rows go down a tree, and the numbers of the leaves where they end are added up.
 *
 * Each row of a block moves by itself, but all of them one step before the next: while one waits for a value, others
 * ask for theirs. A row that does not know the value of a test stays there, and goes on alone afterwards, in fractions.
 */

#include "trees.h"

#include <string.h>

/* What is no branch of any node. */
#define UNKNOWN UINT32_MAX

/* The branch of a node that row i of the block at `start` takes. */
INLINE uint32_t
branch_of(const Node *node, size_t start, size_t i, double slack)
{
    if (node->numbers == NULL) {
        const uint32_t code = node->codes[i];
        return code < node->branches ? code : UNKNOWN;
    }
    const double value = node->numbers[start + i];
    const uint32_t above = (value > node->cut) & (value - node->cut >= slack);
    return value == value ? above : UNKNOWN;
}

/* Move the rows of a block from the root to leaves, or to the nodes whose tested values they do not know. */
static void
move_down(const Tree *tree, size_t start, size_t count, uint32_t *at, uint32_t *moving)
{
    for (size_t i = 0; i < count; i++) {
        at[i] = 0;
        moving[i] = (uint32_t)i;
    }
    for (size_t left = tree->nodes[0].branches ? count : 0, kept; left > 0; left = kept) {
        kept = 0;
        for (size_t j = 0; j < left; j++) {
            const uint32_t i = moving[j];
            const Node *node = &tree->nodes[at[i]];
            const uint32_t branch = branch_of(node, start, i, tree->slack);
            const int known = branch != UNKNOWN;
            const uint32_t child = known ? node->first_child + branch : at[i];
            at[i] = child;
            moving[kept] = i;
            kept += known & (tree->nodes[child].branches > 0);
        }
    }
}

static void
add_leaf(const Tree *tree, uint32_t leaf, double fraction, double *restrict sums)
{
    const double *numbers = tree->table + leaf * tree->classes;
    for (size_t c = 0; c < tree->classes; c++) {
        sums[c] += fraction * numbers[c];
    }
}

/* Send one row on from a node; where it does not know the tested value, in fractions down all branches. A node has one
 * parent, so no more of them wait in the queue than the tree has. */
static void
spread(const Tree *tree, size_t start, size_t i, uint32_t from, double *restrict sums)
{
    uint32_t *queue = tree->queue;
    double *fraction = tree->fraction;
    queue[0] = from;
    fraction[0] = 1.0;
    for (size_t next = 0, end = 1; next < end; next++) {
        const Node *node = &tree->nodes[queue[next]];
        if (node->branches == 0) {
            add_leaf(tree, queue[next], fraction[next], sums);
            continue;
        }
        const uint32_t branch = branch_of(node, start, i, tree->slack);
        if (branch != UNKNOWN) {
            queue[end] = node->first_child + branch;
            fraction[end++] = fraction[next];
            continue;
        }
        for (uint32_t child = node->first_child; child < node->first_child + node->branches; child++) {
            if (tree->share[child] > 0) {
                queue[end] = child;
                fraction[end++] = fraction[next] * tree->share[child];
            }
        }
    }
}

static void
sum_rows(const Tree *tree, double *restrict sums)
{
    uint32_t at[TREE_ROWS], moving[TREE_ROWS];
    memset(sums, 0, tree->rows * tree->classes * sizeof *sums);
    for (size_t start = 0; start < tree->rows; start += TREE_ROWS) {
        const size_t count = tree->rows - start < TREE_ROWS ? tree->rows - start : TREE_ROWS;
        for (size_t j = 0; j < tree->column_count; j++) {
            if (tree->columns[j].loaded != NULL) {
                load_codes(&tree->columns[j].codes, start, count, UINT32_MAX, tree->columns[j].loaded);
            }
        }
        move_down(tree, start, count, at, moving);
        for (size_t i = 0; i < count; i++, sums += tree->classes) {
            if (tree->nodes[at[i]].branches == 0) {
                add_leaf(tree, at[i], 1.0, sums);
            } else {
                spread(tree, start, i, at[i], sums);
            }
        }
    }
}

/* Open the numbers of the nodes; -1 with an exception where they are not as many as the nodes or the sums. */
static int
open_numbers(PyObject *share, PyObject *table, PyObject *sums, Tree *tree, Doubles *shares, Doubles *numbers,
             Doubles *out)
{
    if (open_doubles(sums, "sums", 2, 1, out) < 0 || open_doubles(share, "share", 1, 0, shares) < 0 ||
        open_doubles(table, "table", 2, 0, numbers) < 0) {
        return -1;
    }
    tree->rows = (size_t)out->buffer.shape[0];
    tree->classes = (size_t)out->buffer.shape[1];
    tree->share = shares->data;
    tree->table = numbers->data;
    return 0;
}

/* tree_sums(attribute, cut, first_child, branches, share, columns, slack, table, sums): fill the sums. */
PyObject *
kernel_tree_sums(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *attribute, *cut, *first_child, *branches, *share, *columns, *table, *sums, *result = NULL;
    Tree tree = {0};
    if (!PyArg_ParseTuple(arguments, "OOOOOO!dOO:tree_sums", &attribute, &cut, &first_child, &branches, &share,
                          &PyTuple_Type, &columns, &tree.slack, &table, &sums)) {
        return NULL;
    }
    Doubles shares = {.open = 0}, numbers = {.open = 0}, out = {.open = 0};
    if (open_numbers(share, table, sums, &tree, &shares, &numbers, &out) < 0 ||
        open_tree_columns(columns, &tree) < 0 || open_nodes(attribute, cut, first_child, branches, &tree) < 0) {
        goto done;
    }
    if (shares.length != tree.count || (size_t)numbers.buffer.shape[0] != tree.count ||
        (size_t)numbers.buffer.shape[1] != tree.classes) {
        PyErr_Format(PyExc_ValueError, "share, table: expected %zu and (%zu, %zu), for the nodes and sums", tree.count,
                     tree.count, tree.classes);
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    sum_rows(&tree, out.data);
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    close_tree(&tree);
    close_doubles(&out);
    close_doubles(&numbers);
    close_doubles(&shares);
    return result;
}
