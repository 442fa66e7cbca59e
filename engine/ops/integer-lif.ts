import { neuronKernels, integerMembraneShape } from '../kernels/neurons.ts';
import { EngineError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { layerShape } from './layer-shapes.ts';
import { expectShape } from './shapes.ts';

interface IntegerLifOptions {
  /** Time steps T. A current of one step is held for all of them. */
  readonly steps: number;
  /** 256ths of the membrane kept per step; 230 where nothing is said. */
  readonly leak?: number;
  /** Spikes when the membrane exceeds it, strictly; 1024 where nothing is said. */
  readonly threshold?: number;
  /** Go on from the membranes as they are; else all neurons start at 0. */
  readonly carried: boolean;
}

/**
 * Leaky integrate-and-fire in integers, the same bits on every backend: spikes `bits[T, rows, width]` from
 * a current of int32, `u32[T or 1, rows, width]` in two's complement. No gradient flows through it.
 *
 *   V = clamp_int16(floor(V leak / 256) + I)      s = 1 if V > threshold else 0, then V = 0
 *
 * `membrane` holds V before and after, see `integerMembraneShape`; it lasts if it is not scratch.
 */
export function integerLif(
  graph: Graph,
  current: Tensor,
  membrane: Tensor,
  { steps, leak = 230, threshold = 1024, carried }: IntegerLifOptions,
): Tensor {
  const { rows, width, currentSteps } = layerShape('integerLif', current, steps, 'u32');
  expectShape('integerLif membrane', membrane, integerMembraneShape(rows, width), 'u32');
  expectWhole('leak', leak, [0, 256]);
  expectWhole('threshold', threshold, [0, 0x7fff]);
  const attributes = { steps, rows, width, currentSteps, leak, threshold, carried };
  const spikes = graph.scratch('spikes', 'bits', [steps, rows, width]);
  graph.call(neuronKernels.integer_lif, { current, membrane, spikes }, attributes);
  return spikes;
}

function expectWhole(name: string, value: number, [least, most]: readonly [number, number]): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new EngineError(
    'invalid-setting',
    `integerLif: ${name} is ${value}: expected a whole number from ${least} to ${most}`,
  );
}
