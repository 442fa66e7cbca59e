import type { Graph } from '../../graph/graph.ts';
import { layOutParameters } from '../../graph/parameters.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { holdSteps } from '../../ops/hold-steps.ts';
import { keep } from '../../ops/keep.ts';
import { linear, spikeLinear } from '../../ops/linear.ts';
import { meanSteps } from '../../ops/readout.ts';
import { recurrentLif } from '../../ops/recurrent-lif.ts';
import type { Classifier, SpikeWatch } from '../classification/classifier.ts';
import { evenFanOut, type OperationsPerExample } from '../classification/operation-counts.ts';
import { checkStructure, spikingAudioParameters, type SpikingAudioStructure } from './structure.ts';

/**
 * The spiking classifier of sounds: it learns from the mean currents of its output neurons, and the
 * largest is its answer. Throws EngineError `invalid-structure`.
 */
export function spikingAudio(structure: SpikingAudioStructure): Classifier<SpikingAudioStructure> {
  checkStructure(structure);
  const { frames, features, classes } = structure;
  return {
    structure,
    layout: layOutParameters(spikingAudioParameters(structure)),
    frames,
    inputs: features,
    classes,
    logits: (graph, sounds, watch) => meanCurrents(graph, structure, sounds, watch),
    scores: (graph, currents) => keep(graph, 'mean currents', currents),
  };
}

/**
 * Logits `[1, rows, classes]`: the mean current of the output neurons over frames and time steps, for
 * sounds `[frames, rows, features]`. A frame is a constant current for its T steps.
 */
function meanCurrents(
  graph: Graph,
  structure: SpikingAudioStructure,
  sounds: Tensor,
  watch?: SpikeWatch,
): Tensor {
  const { frames, steps } = structure;
  const current = linear(graph, sounds, graph.parameter('hidden.weight'), {
    bias: graph.parameter('hidden.bias'),
  });
  const spikes = recurrentLif(
    graph,
    holdSteps(graph, current, steps),
    graph.parameter('recurrent.weight'),
    { ...structure, steps: frames * steps },
  );
  watch?.('hidden', spikes);
  const output = spikeLinear(graph, spikes, graph.parameter('output.weight'), {
    bias: graph.parameter('output.bias'),
  });
  return meanSteps(graph, output);
}

/**
 * A frame is a constant current for its time steps, so its product is taken once. A dense network reads its
 * recurrent weights once for each frame, and those of the output once for the mean of all.
 */
export function audioOperations(structure: SpikingAudioStructure): OperationsPerExample {
  const { frames, features, hidden, classes, steps } = structure;
  const products = frames * features * hidden;
  return {
    steps: frames * steps,
    frames,
    layers: [{ name: 'hidden', fanOut: evenFanOut(hidden, hidden + classes) }],
    products,
    updates: frames * steps * hidden,
    denseMacs: products + frames * hidden ** 2 + hidden * classes,
  };
}
