/* node_cuts: the best cut of one numeric attribute at each of many nodes of a tree.
 *
 * The entries come by node and then by value, so that the class weights left and right of each border are kept up to
 * date in one sweep, and with them their x ln x, which comes from a table where all weights are 1.
 */

#include "kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LN2 0.69314718055994530942

typedef struct {
    const size_t *node;
    const double *values;
    const uint32_t *classes;
    const double *weights;
    const double *amounts;
    size_t entries;
    size_t nodes;
    size_t class_count;
    const double *total;
    double minimum, share, most, closest, tolerance;
    double *terms; /* x ln x of whole numbers, or NULL */
    double *left;  /* of each class */
    double *right;

    double *pick;
    double *borders;
    double *left_weight;
    double *known;
    double *before;
    double *after;
} Task;

static double
x_ln_x(const Task *task, double x)
{
    if (x < task->tolerance) {
        return 0.0;
    }
    if (task->terms == NULL) {
        return x * log(x);
    }
    double *term = task->terms + (size_t)x;
    if (*term == 0.0) {
        *term = x * log(x);
    }
    return *term;
}

/* Judge the cuts of the entries from `first` to `end`, which are those of one node. */
static void
cut_node(const Task *task, size_t node, size_t first, size_t end)
{
    double known = 0.0, rows = 0.0, class_terms = 0.0;
    memset(task->left, 0, task->class_count * sizeof(double));
    memset(task->right, 0, task->class_count * sizeof(double));
    for (size_t i = first; i < end; i++) {
        task->right[task->classes[i]] += task->weights[i];
        rows += task->amounts[i];
    }
    for (size_t c = 0; c < task->class_count; c++) {
        known += task->right[c];
        class_terms += x_ln_x(task, task->right[c]);
    }
    const double before = (x_ln_x(task, known) - class_terms) / LN2, tolerance = task->tolerance;
    double least = task->share * known / (double)task->class_count;
    least = least < task->most ? least : task->most;
    least = least > task->minimum ? least : task->minimum;
    task->known[node] = known;
    task->before[node] = before;
    if (rows < 2 * least - tolerance) {
        return;
    }
    double left = 0.0, sides = class_terms, best = 0.0;
    for (size_t i = first; i + 1 < end; i++) {
        const double weight = task->weights[i];
        double *mine = task->left + task->classes[i], *other = task->right + task->classes[i];
        sides -= x_ln_x(task, *mine) + x_ln_x(task, *other);
        *mine += weight;
        *other -= weight;
        sides += x_ln_x(task, *mine) + x_ln_x(task, *other);
        left += weight;
        if (!(task->values[i] + task->closest < task->values[i + 1]) ||
            (left < known - left ? left : known - left) < least - tolerance) {
            continue;
        }
        double after = (x_ln_x(task, left) + x_ln_x(task, known - left) - sides) / LN2;
        double gain = (before - after) / task->total[node];
        task->borders[node] += 1.0;
        if (gain > best + tolerance) {
            best = gain;
            task->pick[node] = (double)i;
            task->left_weight[node] = left;
            task->after[node] = after;
        }
    }
}

static void
cut_nodes(const Task *task)
{
    for (size_t node = 0; node < task->nodes; node++) {
        task->pick[node] = -1.0;
        task->borders[node] = task->left_weight[node] = task->known[node] = 0.0;
        task->before[node] = task->after[node] = 0.0;
    }
    for (size_t first = 0, end; first < task->entries; first = end) {
        size_t node = task->node[first];
        for (end = first + 1; end < task->entries && task->node[end] == node;) {
            end++;
        }
        cut_node(task, node, first, end);
    }
}

static int
all_ones(const double *weights, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (weights[i] != 1.0) {
            return 0;
        }
    }
    return 1;
}

/* Check that nodes ascend and stay below their number, and that no class is out of range. */
static int
check_entries(const Task *task, const Integers *node, size_t *nodes, const Integers *classes, uint32_t *codes)
{
    size_t good = load_rows(node, 0, task->entries, task->nodes, nodes);
    for (size_t i = 1; i < good; i++) {
        good = nodes[i - 1] <= nodes[i] ? good : i;
    }
    if (good < task->entries) {
        PyErr_Format(PyExc_ValueError, "node: expected ascending numbers below %zu, entry %zu has none", task->nodes,
                     good);
        return -1;
    }
    good = load_codes(classes, 0, task->entries, (uint32_t)task->class_count, codes);
    if (good < task->entries) {
        raise_fault((Fault){BAD_CLASS, 0, good});
        return -1;
    }
    return 0;
}

/* node_cuts(node, values, classes, weights, amounts, class_count, total, minimum, share, most, closest, tolerance,
 * found): fills six rows of `found`, a number for each node: the entry behind which the best cut lies or -1, the number
 * of borders, the weight left of the cut, the known weight, and weight times entropy before and after. */
PyObject *
kernel_node_cuts(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *node, *values, *classes, *weights, *amounts, *total, *found, *result = NULL;
    Py_ssize_t class_count;
    Task task = {0};
    if (!PyArg_ParseTuple(arguments, "OOOOOnOdddddO:node_cuts", &node, &values, &classes, &weights, &amounts,
                          &class_count, &total, &task.minimum, &task.share, &task.most, &task.closest,
                          &task.tolerance, &found)) {
        return NULL;
    }
    Integers place = {.open = 0}, group = {.open = 0};
    Doubles value = {.open = 0}, weight = {.open = 0}, amount = {.open = 0}, all = {.open = 0}, out = {.open = 0};
    size_t *nodes = NULL;
    uint32_t *codes = NULL;
    if (open_integers(node, "node", &place) < 0 || open_doubles(values, "values", 1, 0, &value) < 0 ||
        open_integers(classes, "classes", &group) < 0 || open_doubles(weights, "weights", 1, 0, &weight) < 0 ||
        open_doubles(amounts, "amounts", 1, 0, &amount) < 0 || open_doubles(total, "total", 1, 0, &all) < 0 ||
        open_doubles(found, "found", 2, 1, &out) < 0) {
        goto done;
    }
    task.entries = place.length;
    task.nodes = all.length;
    if (class_count < 1 || class_count >= INT32_MAX || value.length != task.entries || group.length != task.entries ||
        weight.length != task.entries || amount.length != task.entries || out.buffer.shape[0] != 6 ||
        (size_t)out.buffer.shape[1] != task.nodes) {
        PyErr_Format(PyExc_ValueError, "node_cuts: expected %zu entries each, classes, and found of (6, %zu)",
                     task.entries, task.nodes);
        goto done;
    }
    task.class_count = (size_t)class_count;
    nodes = malloc((task.entries + 1) * sizeof *nodes);
    codes = malloc((task.entries + 1) * sizeof *codes);
    task.left = malloc(2 * task.class_count * sizeof(double));
    if (nodes == NULL || codes == NULL || task.left == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    if (check_entries(&task, &place, nodes, &group, codes) < 0) {
        goto done;
    }
    task.right = task.left + task.class_count;
    task.node = nodes;
    task.classes = codes;
    task.values = value.data;
    task.weights = weight.data;
    task.amounts = amount.data;
    task.total = all.data;
    double **rows[] = {&task.pick, &task.borders, &task.left_weight, &task.known, &task.before, &task.after};
    for (size_t r = 0; r < 6; r++) {
        *rows[r] = out.data + r * task.nodes;
    }
    Py_BEGIN_ALLOW_THREADS
    if (all_ones(task.weights, task.entries)) {
        /* without the memory for it logarithms are computed each time */
        task.terms = calloc(task.entries + 2, sizeof(double));
    }
    cut_nodes(&task);
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    free(task.terms);
    free(task.left);
    free(codes);
    free(nodes);
    close_doubles(&out);
    close_doubles(&all);
    close_doubles(&amount);
    close_doubles(&weight);
    close_integers(&group);
    close_doubles(&value);
    close_integers(&place);
    return result;
}
