import type { Backend } from '../../graph/backend.ts';
import { batchesInOrder, batchSizes, type Examples } from '../../data/examples.ts';
import { EngineError } from '../../errors.ts';
import { evaluateClassifier } from '../../evaluation/classifier-evaluator.ts';
import type { OpenedEvaluation } from '../../evaluation/evaluator.ts';
import type { DataSection, SplitName, Unit } from '../../evaluation/report.ts';
import { openClassScorer } from './class-scorer.ts';
import { type Classifier, VALIDATION_BATCH } from './classifier.ts';
import type { OperationsPerExample } from './operation-counts.ts';
import { classLabels } from './prediction.ts';

/** A stored classifier, as its family opens it. */
interface JudgedClassifier {
  readonly classifier: Classifier<unknown>;
  readonly values: Float32Array;
  readonly work: OperationsPerExample;
  /** By the number of the class. */
  readonly classNames: readonly string[];
  readonly unit: Unit;
}

/** Examples and what a report says of them. */
interface JudgedExamples {
  readonly examples: Examples;
  /** By the number of the class, which may be another one than the model's. */
  readonly classNames: readonly string[];
  readonly data: Pick<DataSection, 'name' | 'sha256' | 'split' | 'length'>;
}

/** Makes a classifier ready to be judged. Throws EngineError `dataset-invalid` for a class it does not know. */
export async function openExampleEvaluation(
  backend: Backend,
  { classifier, values, work, classNames, unit }: JudgedClassifier,
  { examples, classNames: theirs, data }: JudgedExamples,
): Promise<OpenedEvaluation> {
  const named = renumbered(examples, theirs, { classNames, data: data.name });
  const total = examples.count;
  const sizes = batchSizes(total, VALIDATION_BATCH);
  const labels = classLabels(classNames, classifier.classes);
  const scorer = await openClassScorer(backend, { classifier, values, sizes, labels, work });
  return {
    evaluator: {
      unit,
      total,
      memory: scorer.memory,
      run: (watch) => evaluateClassifier(scorer, batchesInOrder(named, sizes), watch),
      close: () => scorer.close(),
    },
    data: { ...data, first: 0, end: total },
  };
}

/** The sets of a split, of data that names its splits. */
export function partsOf<Part>(
  split: SplitName,
  { learned, validation }: Readonly<Record<'learned' | 'validation', Part>>,
): readonly [Part, ...Part[]] {
  if (split === 'all') return [learned, validation];
  return [split === 'train' ? learned : validation];
}

/** The examples with the model's numbers of their classes, which go by their names. */
function renumbered(
  examples: Examples,
  theirs: readonly string[],
  { classNames, data }: { readonly classNames: readonly string[]; readonly data: string },
): Examples {
  const numbers = theirs.map((name) => {
    const number = classNames.indexOf(name);
    if (number >= 0) return number;
    throw new EngineError(
      'dataset-invalid',
      `${data} has the class ${JSON.stringify(name)}: expected only what the model tells apart, ` +
        classNames.join(', '),
    );
  });
  return { ...examples, label: (example) => numbers[examples.label(example)] ?? 0 };
}
