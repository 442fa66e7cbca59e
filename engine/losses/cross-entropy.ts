import { EngineError } from '../errors.ts';
import { formula } from '../ops/formula.ts';
import { expectShares } from '../ops/layer-shapes.ts';
import { meanSteps } from '../ops/readout.ts';
import { classValues, rowCrossEntropy, rowSquaredError } from '../ops/row-losses.ts';
import { axesOf } from '../ops/shapes.ts';
import { expectTarget, type Loss } from './loss.ts';
import { outputOf, type OutputKind, type StepKind, stepsOf } from './outputs.ts';

/**
 * Cross-entropy in nats of the class under the softmax of one number for each output: its rate, its count, how early
 * it fires, or its membrane.
 */
export function crossEntropyLoss({ on = 'rates' }: { readonly on?: OutputKind } = {}): Loss {
  const name = `cross-entropy on ${on}`;
  return {
    name,
    target: 'classes',
    inSegments: on !== 'earliness',
    trace(graph, outputs, target) {
      const classes = expectTarget(name, target);
      return rowCrossEntropy(graph, outputOf(graph, outputs, { on, loss: name }), classes);
    },
  };
}

interface PerStepOptions {
  readonly on?: StepKind;
  /** Weight of the regulariser, lambda, from 0 to 1; 0 leaves it out. */
  readonly lambda?: number;
  /** The number that the regulariser draws every output to, such as the threshold; 1 by default. */
  readonly level?: number;
}

/**
 * Temporal efficient training (Deng et al. 2022): the cross-entropy of every step by itself, and a squared error that
 * keeps outputs near a level.
 *
 *   (1 - lambda) mean over t of CE(x[t], class) + lambda mean over t and outputs of (x[t] - level)^2
 */
export function perStepLoss({
  on = 'membranes',
  lambda = 0,
  level = 1,
}: PerStepOptions = {}): Loss {
  const name = `cross-entropy of every step on ${on}`;
  expectShares(name, { lambda });
  if (!Number.isFinite(level)) {
    throw new EngineError('invalid-setting', `${name}: level is ${level}: expected a number`);
  }
  return {
    name,
    target: 'classes',
    inSegments: true,
    trace(graph, outputs, target) {
      const classes = expectTarget(name, target);
      const values = stepsOf(graph, outputs, { on, loss: name });
      const entropy = meanSteps(graph, rowCrossEntropy(graph, values, classes));
      if (lambda === 0) return entropy;
      const { width } = axesOf(name, values);
      const levels = classValues(graph, classes, { width, correct: level, others: level });
      const error = meanSteps(graph, rowSquaredError(graph, values, levels));
      const text = `${1 - lambda} * entropy + ${lambda} * error`;
      return formula(graph, text, { entropy, error });
    },
  };
}
