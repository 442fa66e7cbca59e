import type { Graph } from '../../graph/graph.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { holdSteps } from '../../ops/hold-steps.ts';
import { linear, spikeLinear } from '../../ops/linear.ts';
import { meanSteps } from '../../ops/readout.ts';
import { recurrentLif } from '../../ops/recurrent-lif.ts';
import type { SpikeWatch } from '../classification/classifier.ts';
import type { SpikingAudioStructure } from './structure.ts';

/**
 * Logits `[1, rows, classes]`: the mean current of the output neurons over frames and time steps, for
 * sounds `[frames, rows, features]`. A frame is a constant current for its T steps.
 */
export function meanCurrents(
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
