import type { Graph } from '../../graph/graph.ts';
import { type ParameterLayout, parameterValues } from '../../graph/parameters.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { countSpikes } from '../../ops/lif.ts';
import { spikeLinear } from '../../ops/linear.ts';
import { rateCode } from '../../ops/rate-code.ts';
import { meanSteps } from '../../ops/readout.ts';
import type { Product } from './forward.ts';

/** Ranges of the inputs of each product as rates: `[inputs]` by the name of the weight. */
export type Ranges = ReadonlyMap<string, Float32Array>;

interface SpikingProducts {
  readonly layout: ParameterLayout;
  /** The parameter block. */
  readonly values: Float32Array;
  readonly ranges: Ranges;
  /** Time steps T. */
  readonly steps: number;
}

/** The neurons in front of one product, two for each input. */
export interface RateLayer {
  /** Of the weight. */
  readonly name: string;
  /** Additions that one spike causes. */
  readonly fanOut: number;
  /** `u32[2 inputs]`: spikes since the host last cleared it. */
  readonly counts: Tensor;
}

/**
 * The products of a transformer with spikes in place of numbers: each input becomes the rate of a neuron
 * over T steps, each spike adds a row of the weight, and what comes out is their mean over the steps.
 * A neuron's range goes into its row of the weight, with the opposite sign for the second of each two.
 */
export function spikingProducts(
  graph: Graph,
  { layout, values, ranges, steps }: SpikingProducts,
  layers: RateLayer[],
): Product {
  return (input, name, options = {}) => {
    const parameter = layout.get(name);
    const [inputs = 0, outputs = 0] = parameter.spec.shape;
    const range = ranges.get(name) ?? new Float32Array(inputs).fill(1);
    const spikes = rateCode(graph, input, {
      steps,
      range: graph.constant(`range of ${name}`, [inputs], range),
    });
    const counts = graph.local(`spikes of ${name}`, 'u32', [2 * inputs]);
    countSpikes(graph, spikes, counts);
    layers.push({ name, fanOut: outputs, counts });
    const rows = signedRows(parameterValues(parameter, values), range);
    const weight = graph.constant(`rows of ${name}`, [2 * inputs, outputs], rows);
    return meanSteps(graph, spikeLinear(graph, spikes, weight, options));
  };
}

/** `[2 inputs, outputs]`: the rows of a weight times their ranges, and the same with the opposite sign. */
function signedRows(weight: Float32Array, range: Float32Array): Float32Array<ArrayBuffer> {
  const outputs = weight.length / range.length;
  const rows = new Float32Array(2 * weight.length);
  for (const [at, value] of weight.entries()) {
    const scaled = value * (range[Math.floor(at / outputs)] ?? 0);
    rows[at] = scaled;
    rows[weight.length + at] = -scaled;
  }
  return rows;
}
