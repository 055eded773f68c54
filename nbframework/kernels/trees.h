/* A tree as its kernel keeps it: checked nodes, and a block of the codes that they test. */
#ifndef NBFRAMEWORK_TREES_H
#define NBFRAMEWORK_TREES_H

#include "kernels.h"

/* Rows that go down together, so that one of them waits while the others move. */
#define TREE_ROWS 512

/* A column of codes or of numbers. */
typedef struct {
    Integers codes;
    Doubles numbers;
    int is_code;
    int is_tested;
    uint32_t *loaded; /* codes of a block of rows, where they are tested */
} TreeColumn;

typedef struct {
    double cut;
    const double *numbers; /* of the tested attribute, NULL where it has codes */
    const uint32_t *codes; /* of the block, where it has codes */
    uint32_t first_child;
    uint32_t branches; /* 0 at a leaf */
} Node;

typedef struct {
    Node *nodes;
    size_t count;
    TreeColumn *columns;
    size_t column_count;
    size_t rows;
    double slack;
    const double *share;
    const double *table;
    size_t classes;
    uint32_t *codes;  /* what the columns of codes have loaded */
    uint32_t *queue;  /* nodes that fractions of one row wait at */
    double *fraction; /* their weights */
} Tree;

/* Open the columns in a tuple, each of tree->rows rows; -1 with an exception otherwise. */
int open_tree_columns(PyObject *tuple, Tree *tree);

/* Read the nodes, check that they are a tree over the columns, and make the memory for a descent; -1 with an exception
 * otherwise. */
int open_nodes(PyObject *attribute, PyObject *cut, PyObject *first_child, PyObject *branches, Tree *tree);

/* Give back what the two have opened and made. */
void close_tree(Tree *tree);

#endif
