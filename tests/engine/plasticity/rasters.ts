import { kernels } from '../../../engine/kernels/kernels.ts';
import type { Backend } from '../../../engine/graph/backend.ts';
import { Graph } from '../../../engine/graph/graph.ts';
import { type Tensor, wordsPerRow } from '../../../engine/graph/tensor.ts';
import {
  type CompressedRows,
  constantIndex,
  type StepSpikes,
  type Synapses,
} from '../../../engine/plasticity/synapses.ts';
import { noParameters } from '../play.ts';

/** When each neuron fires, in steps. */
export type SpikeTimes = readonly (readonly number[])[];

/** Spike times as bits, `[steps][neurons]`. */
export function rasterOf(times: SpikeTimes, steps: number): Uint32Array {
  const words = wordsPerRow(times.length);
  const raster = new Uint32Array(steps * words);
  for (const [n, fired] of times.entries()) {
    for (const t of fired) raster[t * words + (n >>> 5)]! |= 1 << (n & 31);
  }
  return raster;
}

/** Every source has a synapse to the target of its own number. */
export function oneToOne(neurons: number): CompressedRows {
  const numbers = Uint32Array.from({ length: neurons + 1 }, (_, i) => i);
  return { rowStart: numbers, target: numbers.slice(0, neurons) };
}

export interface Play {
  readonly steps: number;
  readonly pre: SpikeTimes;
  readonly post: SpikeTimes;
  /** All to all where it is left out. */
  readonly rows?: CompressedRows;
  readonly weight: Float32Array;
  /** Records one step of a rule; what it gives is read in the end. */
  readonly rule: (
    graph: Graph,
    site: { readonly synapses: Synapses; readonly spikes: StepSpikes; readonly clock: Tensor },
  ) => readonly Tensor[];
  /** Written before the first step. */
  readonly writes?: (tensors: readonly Tensor[]) => readonly (readonly [Tensor, Float32Array])[];
}

/** Plays given spikes past a rule, all steps in one submission; gives the weights and what the rule gave. */
export async function playRasters(backend: Backend, play: Play): Promise<Float32Array[]> {
  const { steps, pre, post, rows, weight: initial } = play;
  const graph = new Graph('rule', noParameters);
  const clock = graph.local('clock', 'u32', [4]);
  const select = (name: string, neurons: number) => {
    const source = graph.local(`raster of ${name}`, 'bits', [steps, 1, neurons]);
    const target = graph.scratch(`spikes of ${name}`, 'bits', [1, 1, neurons]);
    const count = wordsPerRow(neurons);
    graph.call(kernels.select_step, { source, clock, target }, { count, steps });
    return { source, target };
  };
  const sources = select('sources', pre.length);
  const targets = select('targets', post.length);
  const shape = rows ? [rows.target.length] : [pre.length, post.length];
  const weight = graph.local('weight', 'f32', shape);
  const index = rows && constantIndex(graph, 'synapses', rows, post.length);
  const synapses = { pre: pre.length, post: post.length, weight, ...(index && { index }) };
  const spikes = { pre: sources.target, post: targets.target };
  const given = play.rule(graph, { synapses, spikes, clock });
  graph.call(kernels.advance_clock, { clock }, {});
  const program = graph.build();
  const player = await backend.load(noParameters, [program]);
  player.write(sources.source, rasterOf(pre, steps));
  player.write(targets.source, rasterOf(post, steps));
  player.write(weight, initial);
  for (const [tensor, data] of play.writes?.(given) ?? []) player.write(tensor, data);
  player.play(program, steps);
  const read = await Promise.all([weight, ...given].map((tensor) => player.read(tensor)));
  player.close();
  // Weights and the state of rules are f32.
  return read as Float32Array[];
}
