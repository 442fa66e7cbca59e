import { File, type Group, ready } from 'h5wasm';

/** A file written by the library directly, without any code of ours. */
export async function hdf5File(write: (file: Group) => void): Promise<Uint8Array> {
  const { FS } = await ready;
  const file = new File('/made.h5', 'w');
  try {
    write(file);
  } finally {
    file.close();
  }
  const bytes = FS.readFile('/made.h5').slice();
  FS.unlink('/made.h5');
  return bytes;
}

export function text(group: Group, name: string, value: string): void {
  group.create_dataset({ name, data: [value], shape: [], dtype: 'S' });
}

/** float32, compressed as h5py's gzip does it. */
export function floats(
  group: Group,
  name: string,
  shape: number[],
  values: readonly number[],
): void {
  const data = Float32Array.from(values);
  const packed = shape.length > 0 ? { chunks: shape, compression: 'gzip' as const } : {};
  group.create_dataset({ name, data, shape, ...packed });
}

export function whole(group: Group, name: string, values: readonly number[]): void {
  group.create_dataset({ name, data: BigInt64Array.from(values, BigInt), shape: [values.length] });
}

export function node(nodes: Group, name: string, type: string): Group {
  const group = nodes.create_group(name);
  text(group, 'type', type);
  return group;
}

export function edges(graph: Group, pairs: readonly (readonly [string, string])[]): void {
  graph.create_dataset({ name: 'edges', data: pairs.flat(), shape: [pairs.length, 2], dtype: 'S' });
}

/**
 * A network by the published layout: four inputs, an affine map to three neurons whose time constants
 * are one number each, and a recurrent weight.
 */
export function publishedNetwork(): Promise<Uint8Array> {
  return hdf5File((file) => {
    text(file, 'version', '1.0.6');
    const graph = file.create_group('node');
    text(graph, 'type', 'NIRGraph');
    const nodes = graph.create_group('nodes');
    whole(node(nodes, 'input', 'Input'), 'shape', [4]);
    const affine = node(nodes, 'fc1', 'Affine');
    floats(affine, 'weight', [3, 4], [1, 2, 0, 0, 0, 1, 0, -1, 0.5, 0.5, 0.5, 0.5]);
    floats(affine, 'bias', [3], [0, 0.25, -0.5]);
    const lif = node(nodes, 'lif1', 'LIF');
    for (const [name, value] of Object.entries({ tau: 2e-4, r: 2, v_leak: 0, v_threshold: 1 })) {
      floats(lif, name, [], [value]);
    }
    const notes = lif.create_group('metadata');
    text(notes, 'framework', 'by hand');
    floats(node(nodes, 'w_rec', 'Linear'), 'weight', [3, 3], [0, 0, 0, 1, 0, 0, 0, 1, 0]);
    whole(node(nodes, 'output', 'Output'), 'shape', [3]);
    edges(graph, [
      ['input', 'fc1'],
      ['fc1', 'lif1'],
      ['lif1', 'w_rec'],
      ['w_rec', 'lif1'],
      ['lif1', 'output'],
    ]);
  });
}
