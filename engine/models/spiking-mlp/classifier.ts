import type { Graph } from '../../graph/graph.ts';
import { layOutParameters } from '../../graph/parameters.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { countFirings, leakyMembrane } from '../../ops/leaky.ts';
import { lif } from '../../ops/lif.ts';
import { linear, spikeLinear } from '../../ops/linear.ts';
import type { Classifier, SpikeWatch } from '../classification/classifier.ts';
import { evenFanOut, type OperationsPerExample } from '../classification/operation-counts.ts';
import { checkStructure, spikingMlpParameters, type SpikingMlpStructure } from './structure.ts';

/**
 * The spiking classifier with one hidden layer: it learns from the output membranes of every time step
 * and answers with the output neuron that fires most. Throws EngineError `invalid-structure`.
 */
export function spikingMlp(structure: SpikingMlpStructure): Classifier<SpikingMlpStructure> {
  checkStructure(structure);
  const { inputs, classes, threshold } = structure;
  return {
    structure,
    layout: layOutParameters(spikingMlpParameters(structure)),
    inputs,
    classes,
    logits: (graph, images, watch) => outputMembranes(graph, structure, images, watch),
    scores: (graph, membranes) => countFirings(graph, 'output spikes', membranes, threshold),
  };
}

/**
 * Membranes of the output neurons, `[T, rows, classes]`, for inputs `[1, rows, inputs]` that are a
 * constant current in every time step. The first product is therefore taken once.
 */
function outputMembranes(
  graph: Graph,
  structure: SpikingMlpStructure,
  inputs: Tensor,
  watch?: SpikeWatch,
): Tensor {
  const current = linear(graph, inputs, graph.parameter('hidden.weight'), {
    bias: graph.parameter('hidden.bias'),
  });
  const spikes = lif(graph, current, structure);
  watch?.('hidden', spikes);
  const output = spikeLinear(graph, spikes, graph.parameter('output.weight'), {
    bias: graph.parameter('output.bias'),
  });
  return leakyMembrane(graph, output, structure);
}

/** The first product is taken once, as an input is a constant current. */
export function mlpOperations({
  inputs,
  hidden,
  classes,
  steps,
}: SpikingMlpStructure): OperationsPerExample {
  return {
    steps,
    frames: 1,
    layers: [{ name: 'hidden', fanOut: evenFanOut(hidden, classes) }],
    products: inputs * hidden,
    // The output has membranes, too.
    updates: steps * (hidden + classes),
    denseMacs: inputs * hidden + hidden * classes,
  };
}
