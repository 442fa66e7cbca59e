import { describe, expect, it } from 'vitest';
import { readNir } from '../../engine/nir/graph-file.ts';
import { text, type TreeEntry, type TreeGroup } from '../../engine/nir/graph.ts';

describe('a file', () => {
  const group = (entries: Record<string, TreeEntry>): TreeGroup => new Map(Object.entries(entries));
  const whole = (...values: number[]): TreeEntry => ({
    shape: [values.length],
    data: BigInt64Array.from(values, BigInt),
  });
  const graph = (nodes: TreeGroup, edges: TreeEntry = { shape: [0, 2], texts: [] }): TreeGroup =>
    group({ version: text('1.0'), node: group({ type: text('NIRGraph'), nodes, edges }) });
  const node = (entries: Record<string, TreeEntry>) => graph(group({ n: group(entries) }));

  it.each<[string, TreeGroup, string]>([
    ['nothing', group({}), 'the file has no group "node": expected a NIR graph, found nothing'],
    ['no graph', group({ node: group({ type: text('LIF') }) }), 'node (LIF) has no tau'],
    [
      'one node',
      group({
        node: group({ type: text('Linear'), weight: { shape: [1, 1], data: Float32Array.of(1) } }),
      }),
      'node is Linear: expected NIRGraph',
    ],
    [
      'no nodes',
      group({ node: group({ type: text('NIRGraph'), edges: { shape: [0, 2], texts: [] } }) }),
      'node (NIRGraph) has no group "nodes"',
    ],
    [
      'a node that is a number',
      graph(group({ n: whole(1) })),
      'n is a data set: expected a group with a type',
    ],
    ['a node without a type', node({}), 'n has no type'],
    [
      'a type it does not know',
      node({ type: text('Izhikevich') }),
      'n has the type "Izhikevich": expected NIRGraph, Input, Output, Affine, Linear, Scale, Conv1d, Conv2d, SumPool2d, AvgPool2d, Flatten, Threshold, Delay, I, IF, LI, LIF, CubaLI, CubaLIF',
    ],
    [
      'a type of a prototype',
      node({ type: text('constructor') }),
      'n has the type "constructor": expected NIRGraph',
    ],
    [
      'a field it does not know',
      node({ type: text('I'), r: whole(1), refractory: whole(2) }),
      'n (I) has a field "refractory": expected r',
    ],
    [
      'text for numbers',
      node({ type: text('I'), r: text('1') }),
      'n (I): r is text[]: expected numbers',
    ],
    ['numbers for a type', node({ type: whole(1) }), 'n type is numbers[1]: expected a text'],
    [
      'an axis of 0',
      node({ type: text('Input'), shape: whole(2, 0) }),
      'n (Input): shape is [2, 0]: expected axes of 1 or more',
    ],
    [
      'half a neuron',
      node({ type: text('Input'), shape: { shape: [1], data: Float64Array.of(1.5) } }),
      'n (Input): shape is 1.5: expected a whole number',
    ],
    [
      'edges of three',
      graph(group({}), { shape: [1, 3], texts: ['a', 'b', 'c'] }),
      'node: edges are text[1, 3]: expected pairs of names, text[n, 2]',
    ],
    [
      'edges of numbers',
      graph(group({}), { shape: [1, 2], data: Float64Array.of(1, 2) }),
      'node: edges are numbers[1, 2]: expected pairs of names',
    ],
    [
      'three strides',
      node({
        type: text('SumPool2d'),
        kernel_size: whole(1, 2, 3),
        stride: whole(1),
        padding: whole(0),
      }),
      'n (SumPool2d): kernel_size has 3 numbers: expected 1 or 2',
    ],
    [
      'another padding',
      node({ type: text('Conv1d'), weight: whole(1), stride: whole(1), padding: text('full') }),
      'n (Conv1d): padding is "full": expected same, valid or numbers',
    ],
  ])('of %s is refused', (_, tree, message) => {
    expect(() => readNir(tree)).toThrow(
      expect.objectContaining({
        code: 'invalid-structure',
        message: expect.stringContaining(`NIR: ${message}`),
      }),
    );
  });

  it('whose graphs are nested without end is refused', () => {
    let inner = graph(group({})).get('node')!;
    for (let depth = 0; depth < 40; depth++) {
      inner = graph(group({ n: inner })).get('node')!;
    }
    expect(() => readNir(group({ node: inner }))).toThrow('graphs are nested more than 32 deep');
  });

  it('may leave out what older versions did not have', () => {
    const number = (value: number): TreeEntry => ({ shape: [], data: Float32Array.of(value) });
    const old = node({
      type: text('CubaLIF'),
      tau_syn: number(0.01),
      tau_mem: number(0.02),
      r: number(1),
      v_leak: number(0),
      v_threshold: number(1),
    });
    const [[, read] = []] = readNir(old).graph.nodes;

    expect(read).toMatchObject({ type: 'CubaLIF', v_threshold: { shape: [] } });
    expect(read).not.toHaveProperty('v_reset');
    expect(read).not.toHaveProperty('w_in');
  });
});
