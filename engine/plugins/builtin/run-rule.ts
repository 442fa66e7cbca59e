import { simulatorKernels } from '../../kernels/simulator.ts';
import type { Backend } from '../../graph/backend.ts';
import type { Graph } from '../../graph/graph.ts';
import type { Tensor } from '../../graph/tensor.ts';
import type { RuleSite } from '../../plasticity/synapses.ts';
import { REPLAY } from '../../simulator/description.ts';
import { recordSource } from '../../simulator/stimulate.ts';
import { createTracing, noParameters } from '../../simulator/tracing.ts';
import type { PluginArray } from '../ports.ts';
import { eventsOf } from '../spike-arrays.ts';

/** All-to-all synapses between two populations whose spikes are given. */
interface Pairing {
  /** `[T, P]` and `[T, Q]`. */
  readonly pre: PluginArray;
  readonly post: PluginArray;
  /** `[P, Q]` */
  readonly weights: PluginArray;
  /** Milliseconds of a step. */
  readonly dt: number;
}

/** Results of a rule: tensors by name, with their shapes on the host. */
export type RecordedTensors = Readonly<
  Record<string, { readonly tensor: Tensor; readonly shape: readonly number[] }>
>;

export interface RuleRecording {
  readonly graph: Graph;
  readonly site: RuleSite;
  readonly clock: Tensor;
  /** Sets the initial data of a tensor of the rule that is not 0. */
  begin(tensor: Tensor, data: Float32Array): void;
}

/** Runs a rule over given spikes, all steps in one submission; returns the weights and the other results. */
export async function runRule(
  backend: Backend,
  { pre, post, weights, dt }: Pairing,
  record: (recording: RuleRecording) => RecordedTensors,
): Promise<Readonly<Record<string, PluginArray>>> {
  const [steps = 0, sources = 0] = pre.shape;
  const targets = post.shape[1] ?? 0;
  const { graph, clock, persistent, find, first, tensors } = createTracing(0);
  const replayed = [
    { name: 'pre', count: sources, raster: pre },
    { name: 'post', count: targets, raster: post },
  ];
  const tracing = { graph, clock, persistent, find, first, tensors };
  for (const { name, count, raster } of replayed) {
    persistent(`${name}.spikes`, 'bits', [count]);
    const spikes = eventsOf(raster);
    recordSource(tracing, { name, count, model: REPLAY, spikes }, { stream: 0, seed: 0, dt });
  }
  const weight = persistent('weight', 'f32', [sources, targets], weights.data);
  const site: RuleSite = {
    name: 'rule',
    synapses: { pre: sources, post: targets, weight },
    spikes: { pre: find('pre.spikes'), post: find('post.spikes') },
    dt,
  };
  const begin = (tensor: Tensor, data: Float32Array) => void first.push({ tensor, data });
  const recorded = record({ graph, site, clock, begin });
  graph.call(simulatorKernels.advance_clock, { clock }, {});
  const program = graph.build();
  const player = await backend.load(noParameters, [program]);
  try {
    for (const { tensor, data } of first) player.write(tensor, data);
    if (steps > 0) player.play(program, steps);
    const read = async (tensor: Tensor, shape: readonly number[]): Promise<PluginArray> => ({
      shape,
      data: Float32Array.from(await player.read(tensor)),
    });
    const others = Object.entries(recorded).map(
      async ([name, { tensor, shape }]) => [name, await read(tensor, shape)] as const,
    );
    return {
      weights: await read(weight, [sources, targets]),
      ...Object.fromEntries(await Promise.all(others)),
    };
  } finally {
    player.close();
  }
}
