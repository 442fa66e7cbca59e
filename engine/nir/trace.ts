import { memoryKernels } from '../kernels/memory.ts';
import { EngineError } from '../errors.ts';
import { Graph } from '../graph/graph.ts';
import { layOutParameters } from '../graph/parameters.ts';
import type { Program } from '../graph/program.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';
import { delayFeatures, integrateFire, NEURON_PARAMETERS } from '../ops/integrate-fire.ts';
import { linear } from '../ops/linear.ts';
import { convolve, pool } from './convolution.ts';
import type { NirPrimitive } from './graph.ts';
import {
  createPersistentTensors,
  type PersistentTensors,
  type NirState,
} from './persistent-tensors.ts';
import type { NirPlan, PlannedNode } from './plan.ts';
import { sizeOf, transpose } from './shapes.ts';

/** NIR networks are not trained here: their numbers are constants of the program. */
export const noParameters = layOutParameters([]);

/** A signal of one submission in consecutive parts, each `[steps, rows, size]`. */
export type SignalParts = readonly Tensor[];

export interface NirProgram {
  readonly program: Program;
  /** By the names of the Inputs. */
  readonly inputs: ReadonlyMap<string, SignalParts>;
  /** Of the Outputs and of the nodes that are recorded. */
  readonly outputs: ReadonlyMap<string, SignalParts>;
  readonly states: readonly NirState[];
}

interface TraceOptions {
  /** Passes through all nodes per submission, and time steps per pass. */
  readonly passes: number;
  readonly steps: number;
  /** Sequences side by side. */
  readonly rows: number;
  /** Nodes to record besides the Outputs. */
  readonly record: ReadonlySet<string>;
}

type Signals = ReadonlyMap<string, Tensor>;

/** One pass through the nodes. */
interface Pass extends Pick<TraceOptions, 'steps' | 'rows'> {
  readonly number: number;
  readonly graph: Graph;
  readonly persistent: PersistentTensors;
  readonly late: NirPlan['late'];
  readonly signals: Map<string, Tensor>;
  /** Outputs of the nodes in the step before this pass. */
  readonly before: Signals;
}

/**
 * Records the kernels that run some steps of a planned network. With late edges each pass is one step, and
 * the last pass stores its outputs for the next submission.
 */
export function traceNir(plan: NirPlan, options: TraceOptions): NirProgram {
  const graph = new Graph('nir', noParameters);
  const { late } = plan;
  const { passes, steps, rows } = options;
  const persistent = createPersistentTensors(graph, rows);
  const sources = new Set([...late].map(([source]) => source));
  const carried = new Map(
    plan.nodes
      .filter(({ name }) => sources.has(name))
      .map(({ name, output }) => [
        name,
        persistent.state({ name: `before ${name}`, width: sizeOf(output) }),
      ]),
  );
  const traced: Pass[] = [];
  for (let number = 0; number < passes; number++) {
    const before: Signals = traced.at(-1)?.signals ?? carried;
    const pass = { number, graph, persistent, late, steps, rows, before, signals: new Map() };
    for (const planned of plan.nodes) pass.signals.set(planned.name, traceNode(pass, planned));
    traced.push(pass);
  }
  const inputs = plan.nodes.filter((planned) => isEnd(planned, 'Input'));
  const recorded = plan.nodes.filter(
    (planned) => isEnd(planned, 'Output') || options.record.has(planned.name),
  );
  const outputs = recorded.map(
    ({ name }) => [name, traced.map((pass) => keep(pass, name))] as const,
  );
  const last = traced.at(-1)?.signals ?? carried;
  for (const [name, target] of carried) {
    graph.call(
      memoryKernels.copy,
      { source: signalOf(last, name), target },
      { count: wordCount(target) },
    );
  }
  return {
    inputs: new Map(
      inputs.map(({ name }) => [name, traced.map(({ signals }) => signalOf(signals, name))]),
    ),
    outputs: new Map(outputs),
    states: persistent.states,
    program: graph.build(),
  };
}

function isEnd({ node, isInner }: PlannedNode, type: 'Input' | 'Output'): boolean {
  return !isInner && node.type === type;
}

function traceNode(pass: Pass, planned: PlannedNode): Tensor {
  const { graph, steps, rows, number, persistent } = pass;
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
      return convolve(graph, persistent, signal, { name, node, input });
    case 'SumPool2d':
    case 'AvgPool2d':
      return pool(graph, signal, node, input);
    case 'Delay':
      return traceDelay(pass, planned, signal);
    default:
      // Input, Output and Flatten have no stages: they pass their input on.
      return traceNeurons(pass, planned, signal);
  }
}

function traceLinear(
  { graph, persistent }: Pass,
  signal: Tensor,
  name: string,
  node: NirPrimitive<'Affine' | 'Linear'>,
): Tensor {
  const [outputs = 0, inputs = 0] = node.weight.shape;
  const weight = persistent.constant(`${name} weight`, [inputs, outputs], () =>
    transpose(node.weight.data, [outputs, inputs]),
  );
  if (node.type === 'Linear') return linear(graph, signal, weight);
  const bias = persistent.constant(`${name} bias`, [outputs], () =>
    Float32Array.from(node.bias.data),
  );
  return linear(graph, signal, weight, { bias });
}

function traceNeurons(
  { graph, persistent }: Pass,
  { name, input, stages }: PlannedNode,
  drive: Tensor,
): Tensor {
  const width = sizeOf(input);
  const axes = [NEURON_PARAMETERS.length, width];
  return stages.reduce(
    (signal, { parameters, start, reset }, i) =>
      integrateFire(graph, signal, {
        parameters: persistent.constant(`${name} parameters ${i}`, axes, () => parameters),
        membrane: persistent.state({ name: `${name} membrane ${i}`, width, start }),
        reset,
      }),
    drive,
  );
}

function traceDelay(
  { graph, persistent }: Pass,
  { name, input, delays = new Uint32Array() }: PlannedNode,
  signal: Tensor,
): Tensor {
  const depth = delays.reduce((max, delay) => Math.max(max, delay), 0);
  if (depth === 0) return signal;
  return delayFeatures(graph, signal, {
    delays: persistent.constant(`${name} delays`, [delays.length], () => delays),
    past: persistent.state({ name: `${name} past`, depth, width: sizeOf(input) }),
  });
}

/** The sum of a node's inputs. */
function gather({ graph, late, before, signals }: Pass, { from, name }: PlannedNode): Tensor {
  const arriving = from.map((edge) => signalOf(late.has(edge) ? before : signals, edge[0]));
  const [first, ...others] = arriving;
  if (!first) throw new EngineError('invalid-structure', `NIR: nothing arrives at ${name}`);
  if (others.length === 0) return first;
  const target = graph.scratch(`sum at ${name}`, 'f32', first.shape);
  const count = wordCount(target);
  graph.call(memoryKernels.copy, { source: first, target }, { count });
  for (const addend of others) graph.call(memoryKernels.add, { addend, target }, { count });
  return target;
}

function signalOf(signals: Signals, name: string): Tensor {
  const signal = signals.get(name);
  if (signal) return signal;
  throw new EngineError('invalid-structure', `NIR: ${name} is read before it gives anything`);
}

/** Copies a node's output to a tensor that the host reads. */
function keep({ graph, signals, number }: Pass, name: string): Tensor {
  const source = signalOf(signals, name);
  const target = graph.local(`output ${name} ${number}`, 'f32', source.shape);
  graph.call(memoryKernels.copy, { source, target }, { count: wordCount(target) });
  return target;
}
