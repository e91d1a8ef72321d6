// What Weka's M5P answers, at full precision: one line a configuration and test row.
//
// Arguments: the data file, the target, how many test rows, the file to write. Every (rows / test rows)-th row is tested, the
// model is fitted on the others, so that whoever compares needs no list of rows.
import java.io.PrintWriter;
import weka.classifiers.trees.M5P;
import weka.core.Instances;
import weka.core.converters.ConverterUtils.DataSource;

public class RecordM5 {
    public static void main(String[] arguments) throws Exception {
        Instances all = DataSource.read(arguments[0]);
        all.setClass(all.attribute(arguments[1]));
        int step = Math.max(2, all.numInstances() / Integer.parseInt(arguments[2]));
        Instances fitted = new Instances(all, 0);
        Instances tested = new Instances(all, 0);
        for (int row = 0; row < all.numInstances(); row++) {
            (row % step == 0 ? tested : fitted).add(all.instance(row));
        }
        try (PrintWriter out = new PrintWriter(arguments[3])) {
            out.println("pruning,smoothing,constant,leaf,row,answer");
            for (boolean constant : new boolean[] {false, true}) {
                for (boolean pruning : new boolean[] {true, false}) {
                    for (boolean smoothing : new boolean[] {true, false}) {
                        record(out, fitted, tested, pruning, smoothing, constant, 4, step);
                    }
                }
            }
            record(out, fitted, tested, true, true, false, 20, step);
            record(out, fitted, tested, false, true, false, 20, step);
        }
    }

    static void record(PrintWriter out, Instances fitted, Instances tested, boolean pruning, boolean smoothing,
            boolean constant, int leaf, int step) throws Exception {
        M5P learner = new M5P();
        learner.setUnpruned(!pruning);
        learner.setUseUnsmoothed(!smoothing);
        learner.setBuildRegressionTree(constant);
        learner.setMinNumInstances(leaf);
        learner.buildClassifier(new Instances(fitted));
        for (int row = 0; row < tested.numInstances(); row++) {
            double answer = learner.classifyInstance(tested.instance(row));
            out.println(pruning + "," + smoothing + "," + constant + "," + leaf + "," + row * step + ","
                    + (answer == 0 ? "0" : String.format(java.util.Locale.ROOT, "%.12g", answer)));
        }
    }
}
