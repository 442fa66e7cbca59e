import { EngineError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { meanSteps } from '../ops/readout.ts';
import { formula } from '../ops/formula.ts';
import {
  firstSpike,
  lastStep,
  maxSteps,
  spikeCounts,
  spikeRates,
  spikeValues,
  sumSteps,
} from '../ops/time-readouts.ts';
import type { LossOutputs } from './loss.ts';

/**
 * The numbers of a network that a loss compares with its target.
 *
 *   values            what the network itself gives, averaged over its steps
 *   rates, counts     the fraction of steps in which each output neuron fired, and their number
 *   earliness         minus the step of each neuron's first spike, so that the earliest is the largest
 *   membranes-mean, membranes-sum, membranes-last, membranes-max
 *                     membranes of the output neurons over time
 */
const OUTPUT_KINDS = [
  'values',
  'rates',
  'counts',
  'earliness',
  'membranes-mean',
  'membranes-sum',
  'membranes-last',
  'membranes-max',
] as const;
/**
 * The numbers of the last layer that losses, `evaluate` and `predict` look at, one for each example and output.
 *
 *   values            numbers of the layer itself, averaged over steps, where it has no neurons
 *   rates             fraction of steps in which a neuron fired, from 0 to 1
 *   counts            number of steps in which it fired, from 0 to T
 *   earliness         minus the step of its first spike, so that the earliest is the largest
 *   membranes-mean, membranes-sum, membranes-last, membranes-max
 *                     its membrane over the steps
 */
export type OutputKind = (typeof OUTPUT_KINDS)[number];

type Read = (graph: Graph, outputs: LossOutputs, loss: string) => Tensor;

const READS: Readonly<Record<OutputKind, Read>> = {
  values: (graph, outputs, loss) => meanSteps(graph, valuesOf(outputs, loss)),
  rates: (graph, outputs, loss) => spikeRates(graph, spikesOf(outputs, loss)),
  counts: (graph, outputs, loss) => spikeCounts(graph, spikesOf(outputs, loss)),
  earliness: (graph, outputs, loss) =>
    formula(graph, '-late', { late: firstSpike(graph, spikesOf(outputs, loss)) }),
  'membranes-mean': (graph, outputs, loss) => meanSteps(graph, membranesOf(outputs, loss)),
  'membranes-sum': (graph, outputs, loss) => sumSteps(graph, membranesOf(outputs, loss)),
  'membranes-last': (graph, outputs, loss) => lastStep(graph, membranesOf(outputs, loss)),
  'membranes-max': (graph, outputs, loss) => maxSteps(graph, membranesOf(outputs, loss)),
};

/** One number for each row and output, `f32[1, rows, n]`. Throws EngineError where the network has none. */
export function outputOf(
  graph: Graph,
  outputs: LossOutputs,
  { on, loss }: { readonly on: OutputKind; readonly loss: string },
): Tensor {
  const read = Object.hasOwn(READS, on) ? READS[on] : undefined;
  if (read) return read(graph, outputs, loss);
  throw new EngineError(
    'invalid-setting',
    `loss ${loss}: on is ${JSON.stringify(on)}: expected one of ${OUTPUT_KINDS.join(', ')}`,
  );
}

/** Numbers of each step: membranes, spikes as 0 and 1, or what the network itself gives. */
export type StepKind = 'membranes' | 'spikes' | 'values';

/** The numbers of each step, `f32[T, rows, n]`. */
export function stepsOf(
  graph: Graph,
  outputs: LossOutputs,
  { on, loss }: { readonly on: StepKind; readonly loss: string },
): Tensor {
  switch (on) {
    case 'membranes':
      return membranesOf(outputs, loss);
    case 'spikes':
      return spikeValues(graph, spikesOf(outputs, loss));
    case 'values':
      return valuesOf(outputs, loss);
    default:
      throw new EngineError(
        'invalid-setting',
        `loss ${loss}: on is ${JSON.stringify(on)}: expected one of membranes, spikes, values`,
      );
  }
}

/** The spikes of the last layer, `bits[T, rows, n]`. */
export function spikesOf({ spikes, name }: LossOutputs, loss: string): Tensor {
  return spikes ?? refuse(loss, name, 'spikes', 'a layer of neurons');
}

function membranesOf({ membranes, name }: LossOutputs, loss: string): Tensor {
  return (
    membranes ?? refuse(loss, name, 'membranes', 'a layer of neurons whose membranes are read')
  );
}

function valuesOf({ values, name }: LossOutputs, loss: string): Tensor {
  return values ?? refuse(loss, name, 'numbers', 'a readout or a layer without neurons');
}

function refuse(loss: string, layer: string, what: string, expected: string): never {
  throw new EngineError(
    'invalid-structure',
    `loss ${loss}: the last layer, ${layer}, gives no ${what}: expected ${expected} at the end, or a loss on something else`,
  );
}
