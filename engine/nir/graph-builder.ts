import { EngineError } from '../errors.ts';
import type { ParameterLayout } from '../graph/parameters.ts';
import { WORD_BYTES, wordCount } from '../graph/tensor.ts';
import type { SpikingMlpStructure } from '../models/spiking-mlp/structure.ts';
import {
  type NirEdge,
  type NirGraph,
  type NirNode,
  type NirTensor,
  type Shape,
  text,
  type TreeEntry,
} from './graph.ts';
import type { ResetRule } from './neurons.ts';
import { transpose } from './shapes.ts';

/** Builds a graph node by node, each connected to the previous one by default. */
export class GraphBuilder {
  readonly #nodes: Map<string, NirNode>;
  readonly #edges: NirEdge[];
  #last: string | undefined;

  constructor(nodes: Iterable<readonly [string, NirNode]> = [], edges: readonly NirEdge[] = []) {
    this.#nodes = new Map(nodes);
    this.#edges = [...edges];
  }

  add(name: string, node: NirNode, from = this.#last): void {
    this.#nodes.set(name, node);
    if (from !== undefined && node.type !== 'Input') this.join(from, name);
    this.#last = name;
  }

  /** Adds a node without connecting it. Throws EngineError `invalid-structure` for a duplicate name. */
  put(name: string, node: NirNode): void {
    if (this.#nodes.has(name)) {
      throw new EngineError('invalid-structure', `NIR: two nodes are named ${name}`);
    }
    this.#nodes.set(name, node);
  }

  join(from: string, to: string): void {
    this.#edges.push([from, to]);
  }

  /** The graph; with a step noted in the metadata, for people. */
  graph(dt?: number, reset: ResetRule = 'delayed'): NirGraph {
    return {
      type: 'NIRGraph',
      nodes: this.#nodes,
      edges: this.#edges,
      ...(dt !== undefined && { metadata: stepMetadata(dt, reset) }),
    };
  }
}

/** The discretisation of the neurons, for information only. */
const stepMetadata = (dt: number, reset: ResetRule): Map<string, TreeEntry> =>
  new Map<string, TreeEntry>([
    ['dt', { shape: [], data: Float64Array.of(dt) }],
    ['reset', text(reset)],
  ]);

/** A parameter block, and the step that its neurons are noted for. */
export interface Parameters {
  readonly layout: ParameterLayout;
  readonly values: Float32Array;
  readonly dt: number;
}

/** The numbers of one parameter. */
export function valuesOf({ layout, values }: Parameters, name: string): Float32Array {
  const { value, offsetBytes } = layout.get(name);
  const first = offsetBytes / WORD_BYTES;
  return values.slice(first, first + wordCount(value));
}

type Sizes = readonly [inputs: number, outputs: number];

/** A layer of ours, `[inputs, outputs]`, with its bias. */
export function affine(name: string, sizes: Sizes, parameters: Parameters): NirNode {
  const bias = { shape: [sizes[1]], data: valuesOf(parameters, `${name}.bias`) };
  return { type: 'Affine', weight: weightOf(name, sizes, parameters), bias };
}

export function linear(name: string, sizes: Sizes, parameters: Parameters): NirNode {
  return { type: 'Linear', weight: weightOf(name, sizes, parameters) };
}

const weightOf = (name: string, sizes: Sizes, parameters: Parameters) =>
  transposed(name, sizes, valuesOf(parameters, `${name}.weight`));

/** `[outputs, inputs]`, as NIR has it. */
function transposed(name: string, [inputs, outputs]: Sizes, weight: Float32Array): NirTensor {
  if (weight.length !== inputs * outputs) {
    throw new EngineError(
      'shape-mismatch',
      `NIR: the weight of ${name} has ${weight.length} numbers: expected ${inputs} x ${outputs}`,
    );
  }
  return { shape: [outputs, inputs], data: transpose(weight, [inputs, outputs]) };
}

/** A constant tensor. */
export function tensorOf(shape: Shape, value: number): NirTensor {
  const size = shape.reduce((product, axis) => product * axis, 1);
  // In float64: in float32 time constants would not reproduce beta.
  return { shape, data: new Float64Array(size).fill(value) };
}

/**
 * Leaky integrate-and-fire neurons with `tau = dt / (1 - beta)` and `r = tau / dt`, so that a step of length
 * dt multiplies the membrane by beta and adds the whole current, as snnTorch's export has it; IF without a
 * leak.
 */
export function lifNode(
  name: string,
  shape: Shape,
  { beta, threshold, dt }: Readonly<Record<'beta' | 'threshold' | 'dt', number>>,
): NirNode {
  const each = (value: number) => tensorOf(shape, value);
  if (!(beta >= 0 && beta <= 1)) {
    throw new EngineError('invalid-structure', `NIR: beta of ${name} is ${beta}: expected 0 to 1`);
  }
  const firing = { v_threshold: each(threshold), v_reset: each(0) };
  if (beta === 1) return { type: 'IF', r: each(1), ...firing };
  const tau = dt / (1 - beta);
  return { type: 'LIF', tau: each(tau), r: each(tau / dt), v_leak: each(0), ...firing };
}

/** A dense layer of leaky integrate-and-fire neurons. */
interface DenseLayer {
  readonly name: string;
  readonly inputs: number;
  readonly outputs: number;
  /** `[inputs, outputs]`, as the engine stores it. */
  readonly weight: Float32Array;
  /** `[outputs]` */
  readonly bias?: Float32Array;
  /** Membrane decay per step; 1 for neurons without a leak. */
  readonly beta: number;
  readonly threshold: number;
}

/** A stack of dense layers as a graph; its Output is the spikes of the last. */
export function nirOfLayers(layers: readonly DenseLayer[], dt: number): NirGraph {
  const [first, last] = [layers[0], layers.at(-1)];
  if (!first || !last) throw new EngineError('invalid-structure', 'NIR: there are no layers');
  if (!(dt > 0)) throw new EngineError('invalid-setting', `NIR: dt is ${dt}: expected more than 0`);
  const builder = new GraphBuilder();
  builder.add('input', { type: 'Input', shape: [first.inputs] });
  for (const { name, inputs, outputs, bias, beta, threshold, ...layer } of layers) {
    const weight = transposed(name, [inputs, outputs], layer.weight);
    builder.add(
      `${name}_weight`,
      bias
        ? { type: 'Affine', weight, bias: { shape: [outputs], data: bias.slice() } }
        : { type: 'Linear', weight },
    );
    builder.add(`${name}_neurons`, lifNode(name, [outputs], { beta, threshold, dt }));
  }
  builder.add('output', { type: 'Output', shape: [last.outputs] });
  return builder.graph(dt);
}

/** A spiking classifier as a graph; its outputs are the spikes that its classes are read from. */
export function nirOfSpikingMlp(
  { inputs, hidden, classes, beta, threshold }: SpikingMlpStructure,
  layout: ParameterLayout,
  values: Float32Array,
  dt: number,
): NirGraph {
  const parameters = { layout, values, dt };
  const layer = (name: string, from: number, to: number): DenseLayer => ({
    name,
    inputs: from,
    outputs: to,
    weight: valuesOf(parameters, `${name}.weight`),
    bias: valuesOf(parameters, `${name}.bias`),
    beta,
    threshold,
  });
  return nirOfLayers([layer('hidden', inputs, hidden), layer('output', hidden, classes)], dt);
}
