import { Graph } from '../graph/graph.ts';
import { layOutParameters } from '../graph/parameters.ts';
import type { Program } from '../graph/program.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';
import { delaySteps, integrateFire, NEURON_PARAMETERS } from '../ops/integrate-fire.ts';
import { linear } from '../ops/linear.ts';
import type { NirPlan, PlannedNode } from './plan.ts';
import { sizeOf } from './shapes.ts';
import { matrixOf } from './matrix.ts';

/** NIR networks are not trained here: their numbers are constants of the program. */
export const noParameters = layOutParameters([]);

/** What lasts between plays, and what it is before the first. */
export interface NirState {
  readonly tensor: Tensor;
  readonly initial: Float32Array;
}

export interface NirProgram {
  readonly program: Program;
  /** `[steps, rows, size]` by the names of the Inputs. */
  readonly inputs: ReadonlyMap<string, Tensor>;
  /** `[steps, rows, size]` of the Outputs and of the nodes that are recorded. */
  readonly outputs: ReadonlyMap<string, Tensor>;
  readonly states: readonly NirState[];
}

export interface TraceOptions {
  /** Time steps of one play. A plan with late edges is played one step at a time. */
  readonly steps: number;
  /** Sequences side by side. */
  readonly rows: number;
  /** Nodes whose signals are kept besides those of the Outputs. */
  readonly record: ReadonlySet<string>;
}

interface Trace extends TraceOptions {
  readonly graph: Graph;
  readonly late: NirPlan['late'];
  /** What each node gives in this play, and what it gave in the last step of the one before. */
  readonly signals: Map<string, Tensor>;
  readonly before: Map<string, Tensor>;
  readonly states: NirState[];
}

/** Records the kernels that play some steps of a planned network. */
export function traceNir(plan: NirPlan, options: TraceOptions): NirProgram {
  const graph = new Graph('nir', noParameters);
  const { late } = plan;
  const trace: Trace = {
    ...options,
    graph,
    late,
    signals: new Map(),
    before: new Map(),
    states: [],
  };
  const sources = new Set([...late].map(([source]) => source));
  for (const { name, output } of plan.nodes) {
    if (sources.has(name))
      trace.before.set(name, stateOf(trace, `before ${name}`, [1], sizeOf(output)));
  }
  const inputs = new Map<string, Tensor>();
  const outputs = new Map<string, Tensor>();
  for (const planned of plan.nodes) {
    const { name, node, isInner } = planned;
    const signal = traceNode(trace, planned);
    trace.signals.set(name, signal);
    if (node.type === 'Input' && !isInner) inputs.set(name, signal);
    if ((node.type === 'Output' && !isInner) || options.record.has(name)) {
      outputs.set(name, kept(graph, `output ${name}`, signal));
    }
  }
  for (const [name, target] of trace.before) {
    const source = trace.signals.get(name);
    if (source) graph.call('copy', { source, target }, { count: wordCount(target) });
  }
  return { program: graph.build(), inputs, outputs, states: trace.states };
}

function traceNode(trace: Trace, planned: PlannedNode): Tensor {
  const { graph, steps, rows } = trace;
  const { name, node, isInner, input, output } = planned;
  if (node.type === 'Input' && !isInner) {
    return graph.local(`input ${name}`, 'f32', [steps, rows, sizeOf(input)]);
  }
  let signal = gather(trace, planned);
  const matrix = matrixOf(planned);
  if (matrix) {
    const weight = graph.constant(`${name} weight`, [sizeOf(input), sizeOf(output)], matrix.weight);
    const bias = graph.constant(`${name} bias`, [sizeOf(output)], matrix.bias);
    return linear(graph, signal, weight, { bias });
  }
  if (planned.delays) return traceDelay(trace, planned, signal, planned.delays);
  for (const [i, { parameters, start, reset }] of planned.stages.entries()) {
    const width = sizeOf(input);
    const membrane = stateOf(trace, `${name} membrane ${i}`, [], width, start);
    const table = graph.constant(
      `${name} parameters ${i}`,
      [NEURON_PARAMETERS.length, width],
      parameters,
    );
    signal = integrateFire(graph, signal, { parameters: table, membrane, reset });
  }
  return signal;
}

function traceDelay(
  trace: Trace,
  { name, input }: PlannedNode,
  signal: Tensor,
  delays: Uint32Array,
): Tensor {
  const depth = delays.reduce((most, delay) => Math.max(most, delay), 0);
  if (depth === 0) return signal;
  const past = stateOf(trace, `${name} past`, [depth], sizeOf(input));
  const constant = trace.graph.constant(`${name} delays`, [delays.length], delays);
  return delaySteps(trace.graph, signal, { delays: constant, past });
}

/** The sum of what arrives at a node. */
function gather(trace: Trace, { from, name }: PlannedNode): Tensor {
  const arriving = from.flatMap((edge) => {
    const of = trace.late.has(edge) ? trace.before : trace.signals;
    return of.get(edge[0]) ?? [];
  });
  const [first, ...others] = arriving;
  if (!first) throw new Error(`nothing arrives at ${name}`);
  if (others.length === 0) return first;
  const target = trace.graph.scratch(`sum at ${name}`, 'f32', first.shape);
  const count = wordCount(target);
  trace.graph.call('copy', { source: first, target }, { count });
  for (const addend of others) trace.graph.call('add', { addend, target }, { count });
  return target;
}

function stateOf(
  { graph, rows, states }: Trace,
  name: string,
  axes: readonly number[],
  width: number,
  start: Float32Array = new Float32Array(width),
): Tensor {
  const tensor = graph.local(name, 'f32', [...axes, rows, width]);
  const initial = new Float32Array(wordCount(tensor));
  for (let at = 0; at < initial.length; at += width) initial.set(start, at);
  states.push({ tensor, initial });
  return tensor;
}

function kept(graph: Graph, name: string, source: Tensor): Tensor {
  const target = graph.local(name, 'f32', source.shape);
  graph.call('copy', { source, target }, { count: wordCount(target) });
  return target;
}
