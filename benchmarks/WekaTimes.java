import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.FileReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Random;
import weka.classifiers.Classifier;
import weka.classifiers.Evaluation;
import weka.core.Instances;
import weka.core.Utils;
import weka.filters.Filter;
import weka.filters.supervised.attribute.Discretize;

/**
 * Times Weka inside one warm Java machine; compiles against Weka 3.6 and 3.9.
 *
 * <p>Prints lines of a name and milliseconds: the processor time of the main thread, median over the runs, and of the
 * whole process from its start. The class is the last attribute.
 */
public class WekaTimes {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private interface Task {
    void run() throws Exception;
  }

  public static void main(String[] arguments) throws Exception {
    int runs = Integer.parseInt(arguments[1]);
    String[] rest = Arrays.copyOfRange(arguments, 2, arguments.length);
    switch (arguments[0]) {
      case "read":
        time("read", runs, () -> read(rest[0]));
        break;
      case "discretize":
        discretize(runs, read(rest[0]));
        break;
      case "classify":
        classify(runs, read(rest[0]), read(rest[1]), rest[2], Utils.splitOptions(rest[3]));
        break;
      case "cross-validate":
        crossValidate(runs, rest[0], Utils.splitOptions(rest[1]), Arrays.copyOfRange(rest, 2, rest.length));
        break;
      default:
        throw new IllegalArgumentException(arguments[0]);
    }
    OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    print("process", system.getProcessCpuTime() / 1e6);
  }

  private static Instances read(String path) throws Exception {
    try (BufferedReader reader = new BufferedReader(new FileReader(path))) {
      Instances data = new Instances(reader);
      data.setClassIndex(data.numAttributes() - 1);
      return data;
    }
  }

  private static void discretize(int runs, Instances data) throws Exception {
    time("discretize", runs, () -> {
      Discretize filter = new Discretize();
      filter.setInputFormat(data);
      Filter.useFilter(data, filter);
    });
  }

  private static Classifier classifier(String name, String[] options) throws Exception {
    return (Classifier) Utils.forName(Classifier.class, name, options.clone());
  }

  private static void classify(int runs, Instances training, Instances queries, String name, String[] options)
      throws Exception {
    Classifier[] built = new Classifier[1];
    time("build", runs, () -> {
      built[0] = classifier(name, options);
      built[0].buildClassifier(training);
    });
    time("score", runs, () -> {
      for (int i = 0; i < queries.numInstances(); i++) {
        built[0].distributionForInstance(queries.instance(i));
      }
    });
  }

  /** Ten folds of each file, repeated; not warmed up, because a whole run is what a user waits for. */
  private static void crossValidate(int repeats, String name, String[] options, String[] paths) throws Exception {
    long start = THREADS.getCurrentThreadCpuTime();
    for (String path : paths) {
      Instances data = read(path);
      for (int repeat = 1; repeat <= repeats; repeat++) {
        new Evaluation(data).crossValidateModel(classifier(name, options), data, 10, new Random(repeat));
      }
    }
    print("cross-validate", (THREADS.getCurrentThreadCpuTime() - start) / 1e6);
  }

  private static void time(String name, int runs, Task task) throws Exception {
    task.run();
    double[] taken = new double[runs];
    for (int run = 0; run < runs; run++) {
      long start = THREADS.getCurrentThreadCpuTime();
      task.run();
      taken[run] = (THREADS.getCurrentThreadCpuTime() - start) / 1e6;
    }
    Arrays.sort(taken);
    print(name, taken[runs / 2]);
  }

  private static void print(String name, double milliseconds) {
    System.out.println("TIME " + name + " " + milliseconds);
  }
}
