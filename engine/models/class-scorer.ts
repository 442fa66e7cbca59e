import type { Backend } from '../backends/backend.ts';
import type { ClassScorer } from '../evaluation/classifier-evaluator.ts';
import type { Opened } from '../evaluation/evaluator.ts';
import { memoryOf } from '../graph/program.ts';
import type { TrainedClassifier } from '../train/classifier-run.ts';
import { type Classifier, traceEvaluation } from './classifier.ts';

export interface ClassScorerOptions<Structure> {
  readonly classifier: Classifier<Structure>;
  /** The parameter block. */
  readonly values: TrainedClassifier<Structure>['values'];
  /** Examples that are read at once. */
  readonly batch: number;
  /** By the number of the class; the numbers themselves where they are left out. */
  readonly labels?: readonly string[];
}

/** A trained classifier made ready to be judged. */
export async function openClassScorer<Structure>(
  backend: Backend,
  { classifier, values, batch, labels }: ClassScorerOptions<Structure>,
): Promise<ClassScorer & Opened> {
  const { layout, classes } = classifier;
  const { program, inputs, scores } = traceEvaluation(classifier, batch);
  const player = await backend.load(layout, [program]);
  player.write(layout.values, values);
  return {
    labels: labels ?? Array.from({ length: classes }, (_, index) => `${index}`),
    memory: { parameters: layout.blockBytes, ...memoryOf([program]) },
    async read(examples) {
      player.write(inputs, examples);
      player.play(program);
      // Counts of spikes are words, membranes are f32.
      return Float32Array.from(await player.read(scores));
    },
    close: () => player.close(),
  };
}
