import { kernels } from '../kernels/kernels.ts';
import { EngineError } from '../errors.ts';
import { Graph } from '../graph/graph.ts';
import { layOutParameters } from '../graph/parameters.ts';
import type { Program } from '../graph/program.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';
import { delayFeatures, integrateFire, NEURON_PARAMETERS } from '../ops/integrate-fire.ts';
import { linear } from '../ops/linear.ts';
import { convolve, pool } from './convolution.ts';
import type { NirPrimitive } from './graph.ts';
import { createLasting, type Lasting, type NirState } from './lasting.ts';
import type { NirPlan, PlannedNode } from './plan.ts';
import { sizeOf } from './shapes.ts';

/** NIR networks are not trained here: their numbers are constants of the program. */
export const noParameters = layOutParameters([]);

/** A signal of one play in parts that follow each other in time, each `[steps, rows, size]`. */
export type SignalParts = readonly Tensor[];

export interface NirProgram {
  readonly program: Program;
  /** By the names of the Inputs. */
  readonly inputs: ReadonlyMap<string, SignalParts>;
  /** Of the Outputs and of the nodes that are recorded. */
  readonly outputs: ReadonlyMap<string, SignalParts>;
  readonly states: readonly NirState[];
}

export interface TraceOptions {
  /** How often one play goes through all nodes, and how many time steps it takes each time. */
  readonly passes: number;
  readonly steps: number;
  /** Sequences side by side. */
  readonly rows: number;
  /** Nodes whose signals are kept besides those of the Outputs. */
  readonly record: ReadonlySet<string>;
}

type Signals = ReadonlyMap<string, Tensor>;

/** One pass through the nodes. */
interface Pass extends Pick<TraceOptions, 'steps' | 'rows'> {
  readonly number: number;
  readonly graph: Graph;
  readonly lasting: Lasting;
  readonly late: NirPlan['late'];
  readonly signals: Map<string, Tensor>;
  /** What the nodes gave in the step before this pass. */
  readonly before: Signals;
}

/**
 * Records the kernels that play some steps of a planned network. One with late edges takes one step in
 * each pass; the last pass leaves what it gave to the next play.
 */
export function traceNir(plan: NirPlan, options: TraceOptions): NirProgram {
  const graph = new Graph('nir', noParameters);
  const { late } = plan;
  const { passes, steps, rows } = options;
  const lasting = createLasting(graph, rows);
  const sources = new Set([...late].map(([source]) => source));
  const carried = new Map(
    plan.nodes
      .filter(({ name }) => sources.has(name))
      .map(({ name, output }) => [
        name,
        lasting.state({ name: `before ${name}`, width: sizeOf(output) }),
      ]),
  );
  const traced: Pass[] = [];
  for (let number = 0; number < passes; number++) {
    const before: Signals = traced.at(-1)?.signals ?? carried;
    const pass = { number, graph, lasting, late, steps, rows, before, signals: new Map() };
    for (const planned of plan.nodes) pass.signals.set(planned.name, traceNode(pass, planned));
    traced.push(pass);
  }
  const inputs = plan.nodes.filter((planned) => isEnd(planned, 'Input'));
  const kept = plan.nodes.filter(
    (planned) => isEnd(planned, 'Output') || options.record.has(planned.name),
  );
  const outputs = kept.map(({ name }) => [name, traced.map((pass) => keep(pass, name))] as const);
  const last = traced.at(-1)?.signals ?? carried;
  for (const [name, target] of carried) {
    graph.call(
      kernels.copy,
      { source: signalOf(last, name), target },
      { count: wordCount(target) },
    );
  }
  return {
    inputs: new Map(
      inputs.map(({ name }) => [name, traced.map(({ signals }) => signalOf(signals, name))]),
    ),
    outputs: new Map(outputs),
    states: lasting.states,
    program: graph.build(),
  };
}

function isEnd({ node, isInner }: PlannedNode, type: 'Input' | 'Output'): boolean {
  return !isInner && node.type === type;
}

function traceNode(pass: Pass, planned: PlannedNode): Tensor {
  const { graph, steps, rows, number, lasting } = pass;
  const { name, node, isInner, input } = planned;
  if (node.type === 'Input' && !isInner) {
    return graph.local(`input ${name} ${number}`, 'f32', [steps, rows, sizeOf(input)]);
  }
  const signal = gather(pass, planned);
  switch (node.type) {
    case 'Affine':
    case 'Linear':
      return traceLinear(pass, signal, name, node);
    case 'Conv1d':
    case 'Conv2d':
      return convolve(graph, lasting, signal, { name, node, input });
    case 'SumPool2d':
    case 'AvgPool2d':
      return pool(graph, signal, node, input);
    case 'Delay':
      return traceDelay(pass, planned, signal);
    default:
      // Input, Output and Flatten have no stages: they hand on what they are given.
      return traceNeurons(pass, planned, signal);
  }
}

function traceLinear(
  { graph, lasting }: Pass,
  signal: Tensor,
  name: string,
  node: NirPrimitive<'Affine' | 'Linear'>,
): Tensor {
  const [outputs = 0, inputs = 0] = node.weight.shape;
  const weight = lasting.constant(`${name} weight`, [inputs, outputs], () => transposed(node));
  if (node.type === 'Linear') return linear(graph, signal, weight);
  const bias = lasting.constant(`${name} bias`, [outputs], () => Float32Array.from(node.bias.data));
  return linear(graph, signal, weight, { bias });
}

/** A weight `[inputs, outputs]`, as products take it. */
function transposed({ weight }: NirPrimitive<'Affine' | 'Linear'>): Float32Array {
  const [outputs = 0, inputs = 0] = weight.shape;
  const result = new Float32Array(inputs * outputs);
  for (let o = 0; o < outputs; o++) {
    for (let i = 0; i < inputs; i++) result[i * outputs + o] = weight.data[o * inputs + i] ?? 0;
  }
  return result;
}

function traceNeurons(
  { graph, lasting }: Pass,
  { name, input, stages }: PlannedNode,
  drive: Tensor,
): Tensor {
  const width = sizeOf(input);
  const axes = [NEURON_PARAMETERS.length, width];
  return stages.reduce(
    (signal, { parameters, start, reset }, i) =>
      integrateFire(graph, signal, {
        parameters: lasting.constant(`${name} parameters ${i}`, axes, () => parameters),
        membrane: lasting.state({ name: `${name} membrane ${i}`, width, start }),
        reset,
      }),
    drive,
  );
}

function traceDelay(
  { graph, lasting }: Pass,
  { name, input, delays = new Uint32Array() }: PlannedNode,
  signal: Tensor,
): Tensor {
  const depth = delays.reduce((most, delay) => Math.max(most, delay), 0);
  if (depth === 0) return signal;
  return delayFeatures(graph, signal, {
    delays: lasting.constant(`${name} delays`, [delays.length], () => delays),
    past: lasting.state({ name: `${name} past`, depth, width: sizeOf(input) }),
  });
}

/** The sum of what arrives at a node. */
function gather({ graph, late, before, signals }: Pass, { from, name }: PlannedNode): Tensor {
  const arriving = from.map((edge) => signalOf(late.has(edge) ? before : signals, edge[0]));
  const [first, ...others] = arriving;
  if (!first) throw new EngineError('invalid-structure', `NIR: nothing arrives at ${name}`);
  if (others.length === 0) return first;
  const target = graph.scratch(`sum at ${name}`, 'f32', first.shape);
  const count = wordCount(target);
  graph.call(kernels.copy, { source: first, target }, { count });
  for (const addend of others) graph.call(kernels.add, { addend, target }, { count });
  return target;
}

function signalOf(signals: Signals, name: string): Tensor {
  const signal = signals.get(name);
  if (signal) return signal;
  throw new EngineError('invalid-structure', `NIR: ${name} is read before it gives anything`);
}

/** Copies what a node gives to where the host reads it. */
function keep({ graph, signals, number }: Pass, name: string): Tensor {
  const source = signalOf(signals, name);
  const target = graph.local(`output ${name} ${number}`, 'f32', source.shape);
  graph.call(kernels.copy, { source, target }, { count: wordCount(target) });
  return target;
}
