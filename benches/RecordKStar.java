// What Weka's KStar answers, at full precision: one line a configuration and test row.
//
// Arguments: the data file, the target, how many test rows, the file to write. Every (rows / test rows)-th row is tested, the
// others are stored, so that whoever compares needs no list of rows.
import java.io.PrintWriter;
import weka.classifiers.lazy.KStar;
import weka.core.Instances;
import weka.core.converters.ConverterUtils.DataSource;

public class RecordKStar {
    public static void main(String[] arguments) throws Exception {
        Instances all = DataSource.read(arguments[0]);
        all.setClass(all.attribute(arguments[1]));
        int step = Math.max(2, all.numInstances() / Integer.parseInt(arguments[2]));
        Instances stored = new Instances(all, 0);
        Instances tested = new Instances(all, 0);
        for (int row = 0; row < all.numInstances(); row++) {
            (row % step == 0 ? tested : stored).add(all.instance(row));
        }
        try (PrintWriter out = new PrintWriter(arguments[3])) {
            out.println("blend,missing,auto_blend,row,answer");
            for (String mode : new String[] {"a", "d", "m", "n"}) {
                for (int blend : new int[] {0, 20, 60, 100}) {
                    record(out, stored, tested, blend, mode, false, step);
                }
                if (all.classAttribute().isNominal()) {
                    record(out, stored, tested, 20, mode, true, step);
                }
            }
        }
    }

    static void record(PrintWriter out, Instances stored, Instances tested, int blend, String mode, boolean auto, int step)
            throws Exception {
        KStar learner = new KStar();
        learner.setOptions(auto ? new String[] {"-E", "-M", mode} : new String[] {"-B", "" + blend, "-M", mode});
        learner.buildClassifier(new Instances(stored));
        for (int row = 0; row < tested.numInstances(); row++) {
            StringBuilder line = new StringBuilder(blend + "," + mode + "," + auto + "," + row * step);
            double[] answer = tested.classAttribute().isNominal()
                    ? learner.distributionForInstance(tested.instance(row))
                    : new double[] {learner.classifyInstance(tested.instance(row))};
            for (double number : answer) {
                line.append(',').append(number == 0 ? "0" : String.format(java.util.Locale.ROOT, "%.12g", number));
            }
            out.println(line);
        }
    }
}
