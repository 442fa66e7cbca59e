import { EngineError } from '../errors.ts';
import type { ParameterLayout } from '../graph/parameters.ts';
import { WORD_BYTES, wordCount } from '../graph/tensor.ts';
import type { SpikingMlpStructure } from '../models/spiking-mlp/structure.ts';
import type { NirEdge, NirGraph, NirNode, NirTensor } from './graph.ts';
import { text, type TreeEntry } from './tree.ts';

/** A dense layer of leaky integrate-and-fire neurons. */
export interface DenseLayer {
  readonly name: string;
  readonly inputs: number;
  readonly outputs: number;
  /** `[inputs, outputs]`, as the engine stores it. */
  readonly weight: Float32Array;
  /** `[outputs]` */
  readonly bias?: Float32Array;
  /** Fraction of the membrane kept per step; 1 for neurons without a leak. */
  readonly beta: number;
  readonly threshold: number;
}

/**
 * A stack of dense layers as a graph. The neurons have `tau = dt / (1 - beta)` and `r = tau / dt`, so that
 * a step of length dt keeps beta of the membrane and adds the whole current, as snnTorch's export has it.
 * How they are reset is noted in the metadata, which no reader relies on.
 */
export function nirOfLayers(layers: readonly DenseLayer[], dt: number): NirGraph {
  const [first, last] = [layers[0], layers.at(-1)];
  if (!first || !last) throw new EngineError('invalid-structure', 'NIR: there are no layers');
  if (!(dt > 0)) throw new EngineError('invalid-setting', `NIR: dt is ${dt}: expected more than 0`);
  const nodes: (readonly [string, NirNode])[] = [
    ['input', { type: 'Input', shape: [first.inputs] }],
    ...layers.flatMap((layer) => nodesOf(layer, dt)),
    ['output', { type: 'Output', shape: [last.outputs] }],
  ];
  const names = nodes.map(([name]) => name);
  const edges = names.slice(1).map((name, i): NirEdge => [names[i] ?? '', name]);
  const metadata = new Map<string, TreeEntry>([
    ['dt', { shape: [], data: Float64Array.of(dt) }],
    ['reset', text('delayed')],
  ]);
  return { type: 'NIRGraph', nodes: new Map(nodes), edges, metadata };
}

/** A spiking classifier as a graph; its outputs are the spikes that its classes are read from. */
export function nirOfSpikingMlp(
  { inputs, hidden, classes, beta, threshold }: SpikingMlpStructure,
  layout: ParameterLayout,
  values: Float32Array,
  dt: number,
): NirGraph {
  const valuesOf = (name: string) => {
    const { value, offsetBytes } = layout.get(name);
    const first = offsetBytes / WORD_BYTES;
    return values.subarray(first, first + wordCount(value));
  };
  const layer = (name: string, from: number, to: number): DenseLayer => ({
    name,
    inputs: from,
    outputs: to,
    weight: valuesOf(`${name}.weight`),
    bias: valuesOf(`${name}.bias`),
    beta,
    threshold,
  });
  return nirOfLayers([layer('hidden', inputs, hidden), layer('output', hidden, classes)], dt);
}

function nodesOf(layer: DenseLayer, dt: number): (readonly [string, NirNode])[] {
  const { name, bias } = layer;
  const weight = transposed(layer);
  const connection: NirNode = bias
    ? { type: 'Affine', weight, bias: { shape: [layer.outputs], data: bias.slice() } }
    : { type: 'Linear', weight };
  return [
    [`${name}_weight`, connection],
    [`${name}_neurons`, neuronsOf(layer, dt)],
  ];
}

/** `[outputs, inputs]`, as NIR has it. */
function transposed({ name, inputs, outputs, weight }: DenseLayer): NirTensor {
  if (weight.length !== inputs * outputs) {
    throw new EngineError(
      'shape-mismatch',
      `NIR: the weight of ${name} has ${weight.length} numbers: expected ${inputs} x ${outputs}`,
    );
  }
  const data = new Float32Array(weight.length);
  for (let i = 0; i < inputs; i++) {
    for (let o = 0; o < outputs; o++) data[o * inputs + i] = weight[i * outputs + o] ?? 0;
  }
  return { shape: [outputs, inputs], data };
}

function neuronsOf({ name, outputs, beta, threshold }: DenseLayer, dt: number): NirNode {
  // Time constants in float64: in float32 they would not give the same beta back.
  const each = (value: number): NirTensor => ({
    shape: [outputs],
    data: new Float64Array(outputs).fill(value),
  });
  if (!(beta >= 0 && beta <= 1)) {
    throw new EngineError('invalid-structure', `NIR: beta of ${name} is ${beta}: expected 0 to 1`);
  }
  const firing = { v_threshold: each(threshold), v_reset: each(0) };
  if (beta === 1) return { type: 'IF', r: each(1), ...firing };
  const tau = dt / (1 - beta);
  return { type: 'LIF', tau: each(tau), r: each(tau / dt), v_leak: each(0), ...firing };
}
