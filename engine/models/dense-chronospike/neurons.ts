import type { Graph } from '../../graph/graph.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { izhikevichPresets } from '../../neurons/izhikevich-presets.ts';
import { activation } from '../../ops/activation.ts';
import { equationExcess, equationNeuron, type LearnedTensors } from '../../ops/equation-neuron.ts';
import { evoLif, evoLifMembrane, type EvoLifParameters } from '../../ops/evo-lif.ts';
import { izhikevich, izhikevichMembrane } from '../../ops/izhikevich.ts';
import { keep } from '../../ops/keep.ts';
import { lif, lifMembrane, type LifOptions } from '../../ops/lif.ts';
import { type ChronospikeStructure, learnedName } from './structure.ts';

/** A layer of neurons: its name, such as `blocks.0.qkv`, and its input current. */
export interface Site {
  readonly name: string;
  readonly current: Tensor;
}

/**
 * Regular spiking neurons in steps of a quarter of a millisecond, in which membranes that are far below
 * rest come back without overshooting. A current of one, which is what LIF's threshold is measured in,
 * takes them from rest to their peak, 95 mV, in two steps.
 */
const regularSpiking = {
  ...izhikevichPresets.RS,
  numerics: 'euler',
  dt: 0.25,
  span: 95,
  drive: 190,
} as const;

/** Millivolts at which an Izhikevich neuron fires. */
const PEAK = 30;

/** Spikes `bits[steps, rows, width]` of the structure's neurons; a beta that moves is read by LIF alone. */
export function fireNeurons(
  graph: Graph,
  structure: ChronospikeStructure,
  { name, current }: Site,
  movingBeta?: Tensor,
): Tensor {
  const { neuron, equations, steps, surrogate, checkpoints } = structure;
  const options = { steps, surrogate, checkpoints };
  if (equations) {
    const written = { neuron: equations, learned: learnedBy(graph, structure, name) };
    return equationNeuron(graph, current, written, options);
  }
  if (neuron === 'EvoLIF') return evoLif(graph, current, trainedBy(graph, name), options);
  if (neuron === 'Izhikevich') {
    return izhikevich(graph, current, { ...regularSpiking, ...options });
  }
  return lif(graph, current, { ...neuronOptions(structure), movingBeta });
}

/**
 * The membranes that `fireNeurons` passes through, `[steps, rows, width]`, kept after the play for images: of
 * neurons that a user wrote, how far they are above their threshold.
 */
export function membraneOf(
  graph: Graph,
  structure: ChronospikeStructure,
  { name, current }: Site,
  movingBeta?: Tensor,
): Tensor {
  const { neuron, equations, steps, surrogate } = structure;
  const kept = `membrane of ${name}`;
  if (equations) {
    const learned = learnedBy(graph, structure, name);
    return equationExcess(graph, kept, { current, neuron: equations, learned, steps });
  }
  if (neuron === 'EvoLIF') {
    return evoLifMembrane(graph, kept, current, { ...trainedBy(graph, name), steps });
  }
  if (neuron === 'Izhikevich') {
    return izhikevichMembrane(graph, kept, current, { ...regularSpiking, steps, surrogate });
  }
  return lifMembrane(graph, kept, current, { ...neuronOptions(structure), movingBeta });
}

/** Where membranes fire. Those of EvoLIF are shown in units of the threshold of their own neuron. */
export function shownThreshold({ neuron, equations, threshold }: ChronospikeStructure): number {
  if (equations) return 0;
  if (neuron === 'EvoLIF') return 1;
  return neuron === 'Izhikevich' ? PEAK : threshold;
}

/** The trained thresholds of a layer, `[neurons]`, kept after the play; undefined where all are alike. */
export function trainedThresholds(
  graph: Graph,
  { neuron }: ChronospikeStructure,
  name: string,
): Tensor | undefined {
  if (neuron !== 'EvoLIF') return undefined;
  return keep(
    graph,
    `thresholds of ${name}`,
    activation(graph, trainedBy(graph, name).b, 'softplus'),
  );
}

/** LIF's options. */
export function neuronOptions(structure: ChronospikeStructure): LifOptions {
  const { steps, beta, threshold, surrogate, checkpoints } = structure;
  return { steps, beta, threshold, surrogate, checkpoints };
}

function learnedBy(
  graph: Graph,
  { equations }: ChronospikeStructure,
  layer: string,
): LearnedTensors {
  const names = (equations?.learned ?? []).map(({ name }) => name);
  return Object.fromEntries(names.map((name) => [name, graph.parameter(learnedName(layer, name))]));
}

function trainedBy(graph: Graph, name: string): EvoLifParameters {
  return { a: graph.parameter(`${name}.a`), b: graph.parameter(`${name}.b`) };
}
