import { createMeanBootstrap } from './bootstrap.ts';
import { createCalibrationMeter } from './calibration.ts';
import { createConfusionMeter } from './confusion.ts';
import type { Evaluated, EvaluationWatch } from './evaluator.ts';
import type { ClassificationSection } from './report.ts';
import { scoreRows } from './score-rows.ts';
import {
  calibrationSection,
  classificationSection,
  type SpikeCounts,
  spikeSections,
} from './sections.ts';

/** Some examples as a network takes them, each with its class. */
interface LabelledBatch {
  /** `[frames][batch][inputs]`; rows beyond the labels fill the batch up and count for nothing. */
  readonly inputs: Float32Array;
  /** At most one for each row. */
  readonly labels: Uint32Array;
}

/** A model that classifies, whatever is inside. */
export interface ClassScorer {
  /** By the number of the class. */
  readonly labels: readonly string[];
  /** `[batch, classes]` numbers whose softmax is what the model believes; the largest is its answer. */
  read(inputs: Float32Array): Promise<Float32Array>;
  /** Spike counts over the last `units` examples, including those that pad batches. */
  spikes?(units: number): Promise<SpikeCounts>;
}

/** Has a model answer every example once. */
export async function evaluateClassifier(
  scorer: ClassScorer,
  batches: Iterable<LabelledBatch> | AsyncIterable<LabelledBatch>,
  { signal, onProgress }: EvaluationWatch = {},
): Promise<Evaluated> {
  const tally = createAnswerTally(scorer.labels);
  const started = performance.now();
  let [done, read] = [0, 0];
  for await (const { inputs, labels } of batches) {
    if (signal?.aborted) break;
    const scores = await scorer.read(inputs);
    tally.add(labels, scores);
    done += labels.length;
    read += scores.length / scorer.labels.length;
    onProgress?.(done);
  }
  const seconds = (performance.now() - started) / 1000;
  const classification = tally.section();
  const spikes = read > 0 ? await scorer.spikes?.(read) : undefined;
  return {
    done,
    seconds,
    findings: { ...(classification && { classification }), ...(spikes && spikeSections(spikes)) },
  };
}

function createAnswerTally(labels: readonly string[]) {
  const confusion = createConfusionMeter(labels.length);
  const calibration = createCalibrationMeter();
  const accuracy = createMeanBootstrap();
  return {
    add(truths: Uint32Array, scores: Float32Array) {
      const { confidences, answers } = scoreRows(scores, truths, labels.length);
      for (const [row, truth] of truths.entries()) {
        const answer = answers[row] ?? 0;
        confusion.add(truth, answer);
        calibration.add(confidences[row] ?? Number.NaN, answer === truth);
        accuracy.add(answer === truth ? 1 : 0);
      }
    },
    section(): ClassificationSection | null {
      const figures = confusion.figures();
      const interval = accuracy.interval();
      const calibrated = calibration.figures();
      if (!figures || !interval || !calibrated) return null;
      return classificationSection(figures, {
        labels: [...labels],
        interval,
        calibration: calibrationSection(calibrated),
      });
    },
  };
}
