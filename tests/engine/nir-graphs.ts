import type { Backend } from '../../engine/graph/backend.ts';
import type { NirEdge, NirGraph, NirNode, NirTensor } from '../../engine/nir/graph.ts';
import { type NirOptions, type NirSignals, openNir } from '../../engine/nir/open-nir.ts';
import { reference, wasmVariants, webgpuVariants } from './play.ts';
import { randomSource } from './random.ts';

/** A tensor of numbers, float64 as NumPy has them by default. */
export function tensor(shape: readonly number[], values: readonly number[] | number): NirTensor {
  const size = shape.reduce((product, axis) => product * axis, 1);
  const data =
    typeof values === 'number' ? new Float64Array(size).fill(values) : Float64Array.from(values);
  return { shape, data };
}

/** Random numbers of a seed. */
export function drawn(shape: readonly number[], seed: number, low = -1, high = 1): NirTensor {
  const size = shape.reduce((product, axis) => product * axis, 1);
  return { shape, data: randomSource(seed).floats(size, low, high) };
}

export function graphOf(
  nodes: Readonly<Record<string, NirNode>>,
  edges: readonly NirEdge[],
): NirGraph {
  return { type: 'NIRGraph', nodes: new Map(Object.entries(nodes)), edges };
}

/** Nodes one after the other, between an Input and an Output. */
export function chain(
  input: readonly number[],
  nodes: Readonly<Record<string, NirNode>>,
  output: readonly number[],
): NirGraph {
  const all: Record<string, NirNode> = {
    input: { type: 'Input', shape: input },
    ...nodes,
    output: { type: 'Output', shape: output },
  };
  const names = Object.keys(all);
  return graphOf(
    all,
    names.slice(1).map((name, i) => [names[i]!, name] as const),
  );
}

export function lif(
  width: number,
  changes: Partial<Record<'tau' | 'r' | 'v_leak' | 'v_threshold' | 'v_reset', NirTensor>> = {},
): NirNode {
  return {
    type: 'LIF',
    tau: tensor([width], 0.02),
    r: tensor([width], 1),
    v_leak: tensor([width], 0),
    v_threshold: tensor([width], 1),
    v_reset: tensor([width], 0),
    ...changes,
  };
}

/** One of each backend: what their variants compute is compared kernel by kernel. */
export const backends = {
  reference: async () => reference,
  webgpu: webgpuVariants['webgpu, register tiles'],
  wasm: wasmVariants['wasm, plain, 2 threads'],
};

/** Opens a network, runs it once with steps of a thousandth, and closes it. */
export async function playNir(
  backend: Backend,
  graph: NirGraph,
  inputs: NirSignals,
  options: Partial<NirOptions> & { steps: number },
): Promise<NirSignals> {
  const network = await openNir(backend, graph, { dt: 0.001, reset: 'value', ...options });
  const signals = await network.run(inputs);
  network.close();
  return signals;
}
