import { expectFinite } from '../ops/layer-shapes.ts';
import { classValues, rowMeans, rowSquaredError, vanRossumDistance } from '../ops/row-losses.ts';
import { axesOf } from '../ops/shapes.ts';
import { spikeValues } from '../ops/time-readouts.ts';
import { expectTarget, type Loss } from './loss.ts';
import { outputOf, type OutputKind, spikesOf } from './outputs.ts';

interface SquaredErrorOptions {
  readonly on?: OutputKind;
  /** For classes as targets: the number that the class's output should have, and that of the others. */
  readonly classes?: { readonly correct: number; readonly others: number };
}

/**
 * Mean over the outputs of their squared difference from the targets: values `[rows, n]`, or for classes a number
 * for the right output and one for the others, such as rates of 0.8 and 0.2.
 */
export function squaredErrorLoss({ on = 'rates', classes }: SquaredErrorOptions = {}): Loss {
  const name = `squared error on ${on}`;
  if (classes) expectFinite(name, { ...classes });
  return {
    name,
    target: classes ? 'classes' : 'values',
    inSegments: on !== 'earliness',
    trace(graph, outputs, target) {
      const given = expectTarget(name, target);
      const values = outputOf(graph, outputs, { on, loss: name });
      const { width } = axesOf(name, values);
      const wanted = classes ? classValues(graph, given, { width, ...classes }) : given;
      return rowSquaredError(graph, values, wanted);
    },
  };
}

/**
 * Mean over the output neurons of the squared van Rossum distance of their spikes from target trains (van Rossum
 * 2001); `tau` is the time constant of the exponential filter, in steps.
 */
export function vanRossumLoss({ tau }: { readonly tau: number }): Loss {
  const name = `van Rossum distance with tau ${tau}`;
  return {
    name,
    target: 'trains',
    trace(graph, outputs, target) {
      const wanted = expectTarget(name, target);
      const trains = spikeValues(graph, spikesOf(outputs, name));
      return rowMeans(graph, vanRossumDistance(graph, trains, wanted, tau));
    },
  };
}
