import type { WeightBounds } from '../kernels/plasticity.ts';
import { EngineError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import { describe, type Tensor, wordCount, wordsPerRow } from '../graph/tensor.ts';
import { expectShape } from '../ops/shapes.ts';
import { columnsOf } from '../simulator/synapses.ts';

/** Synapses by source as compressed rows, and how to find them by target. */
interface SynapseIndex {
  /** `u32[pre + 1]`: where the synapses of each source begin. */
  readonly rowStart: Tensor;
  /** `u32[synapses]` */
  readonly target: Tensor;
  /** `u32[post + 1]`: the first entry of each target in the two lists below. */
  readonly columnStart: Tensor;
  /** `u32[synapses]` */
  readonly synapseOf: Tensor;
  /** `u32[synapses]` */
  readonly source: Tensor;
}

/** The synapses that a rule changes: `weight [pre, post]` all to all, or `weight [synapses]` with an index. */
export interface Synapses {
  readonly pre: number;
  readonly post: number;
  readonly weight: Tensor;
  readonly index?: SynapseIndex;
}

/** Spikes of one step on both sides of a projection, as bits. */
export interface StepSpikes {
  readonly pre: Tensor;
  readonly post: Tensor;
}

/** Synapses and spikes that a rule is recorded for, and the length of a step in milliseconds. */
export interface RuleSite {
  /** Names the state of the rule, as in `name.sourceTrace`: distinct for each rule of a program. */
  readonly name: string;
  readonly synapses: Synapses;
  readonly spikes: StepSpikes;
  readonly dt: number;
}

/** For weights that may be anything. */
export const unbounded: WeightBounds = { low: -3e38, high: 3e38 };

/** Throws EngineError unless all tensors fit the sizes of the projection and the bounds are in order. */
export function checkSite(rule: string, { synapses, spikes }: RuleSite): void {
  const { pre, post, weight, index } = synapses;
  expectShape(`${rule} weight`, weight, index ? [wordCount(weight)] : [pre, post]);
  expectStepSpikes(rule, spikes.pre, pre);
  expectStepSpikes(rule, spikes.post, post);
  if (!index) return;
  const count = wordCount(weight);
  expectShape(`${rule} rowStart`, index.rowStart, [pre + 1], 'u32');
  expectShape(`${rule} target`, index.target, [count], 'u32');
  expectShape(`${rule} columnStart`, index.columnStart, [post + 1], 'u32');
  expectShape(`${rule} synapseOf`, index.synapseOf, [count], 'u32');
  expectShape(`${rule} source`, index.source, [count], 'u32');
}

export function checkBounds(rule: string, { low, high }: WeightBounds): void {
  if (Number.isFinite(low) && Number.isFinite(high) && low < high) return;
  throw new EngineError(
    'invalid-setting',
    `${rule}: weights from ${low} to ${high}, expected finite bounds with low below high`,
  );
}

function expectStepSpikes(rule: string, spikes: Tensor, neurons: number): void {
  const isOneStep = wordCount(spikes) === wordsPerRow(neurons);
  if (spikes.dtype === 'bits' && spikes.shape.at(-1) === neurons && isOneStep) return;
  throw new EngineError(
    'shape-mismatch',
    `${rule}: expected one step of bits of ${neurons} neurons, got ${describe(spikes)}`,
  );
}

/** A projection on the host, by source. */
export interface CompressedRows {
  readonly rowStart: Uint32Array;
  readonly target: Uint32Array;
}

/** The index of a projection as constants of a program. */
export function constantIndex(
  graph: Graph,
  name: string,
  rows: CompressedRows,
  post: number,
): SynapseIndex {
  const columns = columnsOf(rows, post);
  const place = (part: string, data: Uint32Array) =>
    graph.constant(`${part} of ${name}`, [data.length], data);
  return {
    rowStart: place('rowStart', rows.rowStart),
    target: place('target', rows.target),
    columnStart: place('columnStart', columns.columnStart),
    synapseOf: place('synapseOf', columns.synapseOf),
    source: place('source', columns.source),
  };
}
