import { EngineError } from '../errors.ts';

interface ClassFigures {
  /** Examples of the class. */
  readonly support: number;
  /** Fraction of the answers of the class that are right; null where it never was the answer. */
  readonly precision: number | null;
  /** Fraction of its examples that are found; null without examples. */
  readonly recall: number | null;
  /** Harmonic mean of both, `2 tp / (2 tp + fp + fn)`; null where it is neither an example nor an answer. */
  readonly f1: number | null;
}

export interface ClassificationFigures {
  readonly count: number;
  readonly accuracy: number;
  /** Mean of the recalls of classes with examples: accuracy where classes are of unequal size. */
  readonly balancedAccuracy: number;
  /** Mean F1 of the classes that have one. */
  readonly macroF1: number;
  /** `[truth][answer]` */
  readonly matrix: readonly (readonly number[])[];
  readonly classes: readonly ClassFigures[];
}

interface ConfusionMeter {
  add(truth: number, answer: number): void;
  /** Of all that has been added; null before anything was. */
  figures(): ClassificationFigures | null;
}

/** Counts answers by class, in memory that does not grow with them. */
export function createConfusionMeter(classes: number): ConfusionMeter {
  if (!(Number.isSafeInteger(classes) && classes > 0)) {
    throw new EngineError(
      'invalid-setting',
      `${classes} classes: expected a whole number of at least 1`,
    );
  }
  const counts = new Float64Array(classes * classes);
  return {
    add(truth, answer) {
      checkClass('truth', truth, classes);
      checkClass('answer', answer, classes);
      const place = truth * classes + answer;
      counts[place] = (counts[place] ?? 0) + 1;
    },
    figures() {
      const matrix = Array.from({ length: classes }, (_, truth) =>
        Array.from(counts.subarray(truth * classes, (truth + 1) * classes)),
      );
      return figuresOf(matrix);
    },
  };
}

function figuresOf(matrix: readonly (readonly number[])[]): ClassificationFigures | null {
  const count = sum(matrix.map(sum));
  if (count === 0) return null;
  const right = matrix.map((row, truth) => row[truth] ?? 0);
  const classes = matrix.map((row, index): ClassFigures => {
    const hits = right[index] ?? 0;
    const support = sum(row);
    const answers = sum(matrix.map((other) => other[index] ?? 0));
    return {
      support,
      precision: ratio(hits, answers),
      recall: ratio(hits, support),
      f1: ratio(2 * hits, support + answers),
    };
  });
  return {
    count,
    accuracy: sum(right) / count,
    balancedAccuracy: meanOf(classes.map(({ recall }) => recall)),
    macroF1: meanOf(classes.map(({ f1 }) => f1)),
    matrix,
    classes,
  };
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** Mean of those that are known, of which there is at least one. */
function meanOf(values: readonly (number | null)[]): number {
  const known = values.filter((value) => value !== null);
  return sum(known) / known.length;
}

function checkClass(what: string, index: number, classes: number): void {
  if (!(Number.isSafeInteger(index) && index >= 0 && index < classes)) {
    throw new EngineError(
      'invalid-setting',
      `the ${what} is class ${index}: expected a whole number from 0 to ${classes - 1}`,
    );
  }
}
