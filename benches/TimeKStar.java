// How long Weka's KStar takes for a cross-validation, JVM start-up and reading excluded: prints seconds, processor seconds of its thread, and accuracy.
//
// Arguments: the data file, whose last column names the fold and whose last but one is the class; then options of KStar.
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import weka.classifiers.lazy.KStar;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.converters.ConverterUtils.DataSource;

public class TimeKStar {
    public static void main(String[] arguments) throws Exception {
        Instances all = DataSource.read(arguments[0]);
        double[] folds = all.attributeToDoubleArray(all.numAttributes() - 1);
        all.deleteAttributeAt(all.numAttributes() - 1);
        all.setClassIndex(all.numAttributes() - 1);
        String[] options = Arrays.copyOfRange(arguments, 1, arguments.length);
        // A first, untimed pass over a tenth of the rows, so that the code is compiled.
        run(all, folds, options, true);
        long used = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        long begun = System.nanoTime();
        double right = run(all, folds, options, false);
        long ended = System.nanoTime();
        used = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - used;
        System.out.printf("%.3f %.3f %.6f%n", (ended - begun) / 1e9, used / 1e9, right / all.numInstances());
    }

    static double run(Instances all, double[] folds, String[] options, boolean warming) throws Exception {
        double right = 0;
        for (int fold = 0; fold < (warming ? 1 : 10); fold++) {
            Instances train = new Instances(all, 0);
            Instances test = new Instances(all, 0);
            for (int row = 0; row < all.numInstances(); row++) {
                if (!warming || row % 10 == 0 || folds[row] == 0) {
                    (folds[row] == fold ? test : train).add(all.instance(row));
                }
            }
            KStar learner = new KStar();
            learner.setOptions(options.clone());
            learner.buildClassifier(train);
            for (Instance row : test) {
                double[] shares = learner.distributionForInstance(row);
                int best = 0;
                for (int label = 1; label < shares.length; label++) {
                    if (shares[label] > shares[best]) best = label;
                }
                if (best == (int) row.classValue()) right++;
            }
        }
        return right;
    }
}
