import { createMeanBootstrap } from './bootstrap.ts';
import { createCalibrationMeter } from './calibration.ts';
import { createConfusionMeter } from './confusion.ts';
import type { Evaluated, EvaluationWatch } from './evaluator.ts';
import { scoreRows } from './score-rows.ts';
import {
  calibrationSection,
  classificationSection,
  type SpikeCounts,
  spikeSections,
} from './sections.ts';

/** Some examples as a network takes them, each with its class. */
export interface LabelledBatch {
  /** `[batch][inputs]`; rows beyond the labels fill the batch up and count for nothing. */
  readonly inputs: Float32Array;
  /** At most one for each row. */
  readonly labels: Uint32Array;
}

/** A model that tells classes apart, whatever is inside. */
export interface ClassScorer {
  /** By the number of the class. */
  readonly labels: readonly string[];
  /** `[batch, classes]` numbers whose softmax is what the model believes; the largest is its answer. */
  read(inputs: Float32Array): Promise<Float32Array>;
  /** What the neurons did while `units` examples were read, those that fill batches up among them. */
  spikes?(units: number): Promise<SpikeCounts>;
}

/** Has a model answer every example once. */
export async function evaluateClassifier(
  scorer: ClassScorer,
  batches: Iterable<LabelledBatch> | AsyncIterable<LabelledBatch>,
  { signal, onProgress }: EvaluationWatch = {},
): Promise<Evaluated> {
  const classes = scorer.labels.length;
  const confusion = createConfusionMeter(classes);
  const calibration = createCalibrationMeter();
  const accuracy = createMeanBootstrap();
  const started = performance.now();
  let [done, read] = [0, 0];
  for await (const { inputs, labels } of batches) {
    if (signal?.aborted) break;
    const scores = await scorer.read(inputs);
    const { confidences, answers } = scoreRows(scores, labels, classes);
    for (const [row, label] of labels.entries()) {
      const answer = answers[row] ?? 0;
      confusion.add(label, answer);
      calibration.add(confidences[row] ?? Number.NaN, answer === label);
      accuracy.add(answer === label ? 1 : 0);
    }
    done += labels.length;
    read += scores.length / classes;
    onProgress?.(done);
  }
  const seconds = (performance.now() - started) / 1000;
  const [figures, interval, calibrated] = [
    confusion.figures(),
    accuracy.interval(),
    calibration.figures(),
  ];
  const spikes = done > 0 ? await scorer.spikes?.(read) : undefined;
  return {
    done,
    seconds,
    findings: {
      ...(figures &&
        interval &&
        calibrated && {
          classification: classificationSection(figures, {
            labels: [...scorer.labels],
            interval,
            calibration: calibrationSection(calibrated),
          }),
        }),
      ...(spikes && spikeSections(spikes)),
    },
  };
}
