import { EngineError } from '../errors.ts';
import { Graph } from '../graph/graph.ts';
import { layOutParameters } from '../graph/parameters.ts';
import type { Program } from '../graph/program.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';
import { delayFeatures, integrateFire, NEURON_PARAMETERS } from '../ops/integrate-fire.ts';
import { linear } from '../ops/linear.ts';
import { convolve, pool } from './convolution.ts';
import type { NirPrimitive } from './graph.ts';
import type { NirPlan, PlannedNode } from './plan.ts';
import { sizeOf } from './shapes.ts';

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
    if (!sources.has(name)) continue;
    trace.before.set(name, stateOf(trace, { name: `before ${name}`, width: sizeOf(output) }));
  }
  for (const planned of plan.nodes) trace.signals.set(planned.name, traceNode(trace, planned));
  const isEnd = ({ node, isInner }: PlannedNode, type: 'Input' | 'Output') =>
    !isInner && node.type === type;
  const inputs = plan.nodes.filter((planned) => isEnd(planned, 'Input'));
  const kept = plan.nodes.filter(
    (planned) => isEnd(planned, 'Output') || options.record.has(planned.name),
  );
  const outputs = kept.map(({ name }) => [name, keep(trace, name)] as const);
  for (const [name, target] of trace.before) {
    graph.call('copy', { source: signalOf(trace, name), target }, { count: wordCount(target) });
  }
  return {
    inputs: new Map(inputs.map(({ name }) => [name, signalOf(trace, name)])),
    outputs: new Map(outputs),
    states: trace.states,
    program: graph.build(),
  };
}

function traceNode(trace: Trace, planned: PlannedNode): Tensor {
  const { graph, steps, rows } = trace;
  const { name, node, isInner, input } = planned;
  if (node.type === 'Input' && !isInner) {
    return graph.local(`input ${name}`, 'f32', [steps, rows, sizeOf(input)]);
  }
  const signal = gather(trace, planned);
  switch (node.type) {
    case 'Affine':
    case 'Linear':
      return traceLinear(graph, signal, name, node);
    case 'Conv1d':
    case 'Conv2d':
      return convolve(graph, signal, { name, node, input });
    case 'SumPool2d':
    case 'AvgPool2d':
      return pool(graph, signal, node, input);
    case 'Delay':
      return traceDelay(trace, planned, signal);
    default:
      // Input, Output and Flatten have no stages: they hand on what they are given.
      return traceNeurons(trace, planned, signal);
  }
}

function traceLinear(
  graph: Graph,
  signal: Tensor,
  name: string,
  node: NirPrimitive<'Affine' | 'Linear'>,
): Tensor {
  const [outputs = 0, inputs = 0] = node.weight.shape;
  const data = new Float32Array(inputs * outputs);
  for (let o = 0; o < outputs; o++) {
    for (let i = 0; i < inputs; i++) data[i * outputs + o] = node.weight.data[o * inputs + i] ?? 0;
  }
  const weight = graph.constant(`${name} weight`, [inputs, outputs], data);
  if (node.type === 'Linear') return linear(graph, signal, weight);
  const bias = graph.constant(`${name} bias`, [outputs], Float32Array.from(node.bias.data));
  return linear(graph, signal, weight, { bias });
}

function traceNeurons(trace: Trace, { name, input, stages }: PlannedNode, drive: Tensor): Tensor {
  const width = sizeOf(input);
  return stages.reduce((signal, { parameters, start, reset }, i) => {
    const axes = [NEURON_PARAMETERS.length, width];
    return integrateFire(trace.graph, signal, {
      parameters: trace.graph.constant(`${name} parameters ${i}`, axes, parameters),
      membrane: stateOf(trace, { name: `${name} membrane ${i}`, width, start }),
      reset,
    });
  }, drive);
}

function traceDelay(trace: Trace, { name, input, delays }: PlannedNode, signal: Tensor): Tensor {
  const depth = delays?.reduce((most, delay) => Math.max(most, delay), 0) ?? 0;
  if (!delays || depth === 0) return signal;
  const past = stateOf(trace, { name: `${name} past`, depth, width: sizeOf(input) });
  const steps = trace.graph.constant(`${name} delays`, [delays.length], delays);
  return delayFeatures(trace.graph, signal, { delays: steps, past });
}

/** The sum of what arrives at a node. */
function gather(trace: Trace, { from, name }: PlannedNode): Tensor {
  const arriving = from.map((edge) =>
    signalOf(trace, edge[0], trace.late.has(edge) ? trace.before : trace.signals),
  );
  const [first, ...others] = arriving;
  if (!first) throw new EngineError('invalid-structure', `NIR: nothing arrives at ${name}`);
  if (others.length === 0) return first;
  const target = trace.graph.scratch(`sum at ${name}`, 'f32', first.shape);
  const count = wordCount(target);
  trace.graph.call('copy', { source: first, target }, { count });
  for (const addend of others) trace.graph.call('add', { addend, target }, { count });
  return target;
}

function signalOf(trace: Trace, name: string, from = trace.signals): Tensor {
  const signal = from.get(name);
  if (signal) return signal;
  throw new EngineError('invalid-structure', `NIR: ${name} is read before it gives anything`);
}

interface StateOptions {
  readonly name: string;
  /** Steps that are kept, where there are several. */
  readonly depth?: number;
  readonly width: number;
  /** Of each row, `[width]`; zero if absent. */
  readonly start?: Float32Array;
}

/** A tensor that lasts between plays: `[depth, rows, width]`, or `[rows, width]` for a membrane. */
function stateOf(
  { graph, rows, states }: Trace,
  { name, depth, width, start }: StateOptions,
): Tensor {
  const axes = start ? [rows, width] : [depth ?? 1, rows, width];
  const tensor = graph.local(name, 'f32', axes);
  const initial = new Float32Array(wordCount(tensor));
  for (let at = 0; at < initial.length; at += width) initial.set(start ?? [], at);
  states.push({ tensor, initial });
  return tensor;
}

/** Copies what a node gives to where the host reads it. */
function keep(trace: Trace, name: string): Tensor {
  const source = signalOf(trace, name);
  const target = trace.graph.local(`output ${name}`, 'f32', source.shape);
  trace.graph.call('copy', { source, target }, { count: wordCount(target) });
  return target;
}
