import { linear } from '../../layers/dense.ts';
import { lif } from '../../layers/lif.ts';
import { sequential } from '../../layers/network.ts';
import { layOutParameters } from '../../graph/parameters.ts';
import { countFirings } from '../../ops/leaky.ts';
import type { Classifier } from '../classification/classifier.ts';
import { recordNetwork } from '../classification/layered.ts';
import { evenFanOut, type OperationsPerExample } from '../classification/operation-counts.ts';
import { checkStructure, spikingMlpParameters, type SpikingMlpStructure } from './structure.ts';

/**
 * The spiking classifier with one hidden layer: it learns from the output membranes of every time step
 * and answers with the output neuron that fires most. Throws EngineError `invalid-structure`.
 */
export function spikingMlp(structure: SpikingMlpStructure): Classifier<SpikingMlpStructure> {
  checkStructure(structure);
  const { inputs, hidden, classes, steps, beta, threshold, surrogate } = structure;
  const neurons = { beta, threshold, surrogate };
  const network = sequential(
    [
      linear(hidden, { name: 'hidden' }),
      lif({ ...neurons, name: 'hidden' }),
      linear(classes, { name: 'output' }),
      lif({ ...neurons, name: 'output' }),
    ],
    { input: inputs, steps },
  );
  return {
    structure,
    layout: layOutParameters(spikingMlpParameters(structure)),
    inputs,
    classes,
    logits: (graph, images, watch) => recordNetwork(network, { graph, watch }, images).membranes(),
    scores: (graph, membranes) => countFirings(graph, 'output spikes', membranes, threshold),
  };
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
