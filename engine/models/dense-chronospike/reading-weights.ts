import type { Player } from '../../graph/backend.ts';
import type { Graph } from '../../graph/graph.ts';
import { type ParameterLayout, parameterValues } from '../../graph/parameters.ts';
import { byteWords, sharedTensor } from '../../graph/tensor.ts';
import {
  quantise,
  quantisedSpikeLinear,
  type QuantisedWeight,
} from '../../ops/quantised-linear.ts';
import type { SpikeProduct } from './forward.ts';

/** The weights that spikes feed, in the form that a model reads them. */
export interface ReadingWeights {
  /** How a program multiplies spikes with them; undefined where it takes the parameters as they are. */
  productFor(graph: Graph): SpikeProduct | undefined;
  /** Weights in 8 bits by the name of their parameter; the host writes them. */
  readonly quantised: ReadonlyMap<string, QuantisedWeight>;
}

export function createReadingWeights(
  layout: ParameterLayout,
  weights: 'float32' | 'int8',
): ReadingWeights {
  const quantised = new Map<string, QuantisedWeight>();
  if (weights === 'float32') return { productFor: () => undefined, quantised };
  const weightOf = (name: string) => {
    const weight = quantised.get(name) ?? quantisedWeight(layout, name);
    quantised.set(name, weight);
    return weight;
  };
  return {
    productFor: (graph) => (spikes, name, options) =>
      quantisedSpikeLinear(graph, spikes, weightOf(name), options),
    quantised,
  };
}

function quantisedWeight(layout: ParameterLayout, name: string): QuantisedWeight {
  const [inputs = 0, outputs = 0] = layout.get(name).value.shape;
  return {
    words: sharedTensor(`${name} int8`, 'u32', [inputs, byteWords(outputs)]),
    scale: sharedTensor(`${name} scale`, 'f32', [outputs]),
    outputs,
  };
}

/** Writes the block of all parameters, and those of them that are read in 8 bits. */
export function writeWeights(
  player: Player,
  { layout, weights }: { readonly layout: ParameterLayout; readonly weights: ReadingWeights },
  values: Float32Array,
): void {
  player.write(layout.values, values);
  for (const [name, { words, scale, outputs }] of weights.quantised) {
    const rounded = quantise(parameterValues(layout.get(name), values), outputs);
    player.write(words, rounded.words);
    player.write(scale, rounded.scale);
  }
}
