import type { Player } from '../../graph/backend.ts';
import { Graph } from '../../graph/graph.ts';
import { type ParameterLayout, parameterValues } from '../../graph/parameters.ts';
import { sharedTensor, type Tensor } from '../../graph/tensor.ts';
import { keep } from '../../ops/keep.ts';
import { countSlotSpikes } from '../../ops/lif.ts';
import { byteWords } from '../../graph/tensor.ts';
import {
  quantise,
  quantisedSpikeLinear,
  type QuantisedWeight,
} from '../../ops/quantised-linear.ts';
import type { ReadingProgram, SpikingLayer } from '../language/batched-model.ts';
import { chronospikeLogits, type SpikeProduct, type SpikeSite } from './forward.ts';
import { type CarriedState, createCarriedState, recurrentMixing } from './mixing.ts';
import { fireNeurons, type Site } from './neurons.ts';
import { type ChronospikeStructure, spikingLayers } from './structure.ts';

/** Device state shared by the programs that read tokens: weights, states by slot, and counts of spikes. */
interface ReadingContext {
  readonly layout: ParameterLayout;
  readonly structure: ChronospikeStructure;
  readonly state: CarriedState;
  readonly weights: ReadingWeights;
  readonly layers: readonly SpikingLayer[];
  /** `u32[slots, layers]`: spikes since each slot's sequence began. */
  readonly counts: Tensor;
  /** LIF's beta where a run moves it, `f32[1]`. */
  readonly movingBeta: Tensor | undefined;
}

interface ReadingOptions {
  /** Sequences whose state is kept. */
  readonly slots: number;
  readonly weights: 'float32' | 'int8';
  readonly movingBeta?: Tensor | undefined;
}

export function createReadingContext(
  layout: ParameterLayout,
  structure: ChronospikeStructure,
  { slots, weights, movingBeta }: ReadingOptions,
): ReadingContext {
  const layers = spikingLayers(structure);
  return {
    layout,
    structure,
    state: createCarriedState(slots),
    weights: createReadingWeights(layout, weights),
    layers,
    counts: sharedTensor('spike counts', 'u32', [slots, layers.length]),
    movingBeta,
  };
}

export function traceReading(
  { layout, structure, state, weights, layers, counts, movingBeta }: ReadingContext,
  rows: number,
  { keepsSpikes = false }: { readonly keepsSpikes?: boolean } = {},
): ReadingProgram {
  const graph = new Graph(`${keepsSpikes ? 'observe' : 'read'} ${rows}`, layout);
  const ids = graph.local('ids', 'u32', [rows]);
  const slots = graph.local('slots', 'u32', [rows]);
  const mixing = recurrentMixing(graph, structure, { state, slots });
  const multiply = weights.productFor(graph);
  const fire = (site: Site) => fireNeurons(graph, structure, site, movingBeta);
  const kept: Tensor[] = [];
  const visit = ({ name, spikes }: SpikeSite) => {
    const layer = layers.findIndex((one) => one.name === name);
    countSlotSpikes(graph, spikes, { slots, counts, layer });
    if (keepsSpikes) kept.push(keep(graph, `kept spikes of ${name}`, spikes));
  };
  const forward = { graph, structure, mixing, fire, visit, ...(multiply && { multiply }) };
  const logits = keep(graph, 'kept logits', chronospikeLogits(forward, ids));
  return { program: graph.build(), rows, ids, slots, logits, layers, counts, kept };
}

/** For one text at a time, with the parameters as they are. */
export function traceGeneration(
  layout: ParameterLayout,
  structure: ChronospikeStructure,
  movingBeta?: Tensor,
): ReadingProgram {
  const options = { slots: 1, weights: 'float32', movingBeta } as const;
  return traceReading(createReadingContext(layout, structure, options), 1);
}

/** The weights that spikes feed, in the form that a model reads them. */
interface ReadingWeights {
  /** How a program multiplies spikes with them; undefined where it takes the parameters as they are. */
  productFor(graph: Graph): SpikeProduct | undefined;
  /** Weights in 8 bits by the name of their parameter; the host writes them. */
  readonly quantised: ReadonlyMap<string, QuantisedWeight>;
}

function createReadingWeights(
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
