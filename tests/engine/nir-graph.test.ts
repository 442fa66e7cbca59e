import { describe, expect, it } from 'vitest';
import { flattenGraph } from '../../engine/nir/flat-graph.ts';
import type { NirGraph, NirNode } from '../../engine/nir/graph.ts';
import { planNir } from '../../engine/nir/plan.ts';
import { chain, graphOf, lif, tensor } from './nir-graphs.ts';

const discretisation = { dt: 0.001, reset: 'value' } as const;

function planned(graph: NirGraph) {
  return () => planNir(graph, discretisation);
}

describe('a graph', () => {
  it.each<[string, NirGraph, string, string]>([
    [
      'no Input',
      graphOf({ output: { type: 'Output', shape: [1] } }, []),
      'invalid-structure',
      'the graph has no Input',
    ],
    [
      'no Output',
      graphOf({ input: { type: 'Input', shape: [1] } }, []),
      'invalid-structure',
      'the graph has no Output',
    ],
    [
      'an edge to nowhere',
      graphOf({ input: { type: 'Input', shape: [1] }, output: { type: 'Output', shape: [1] } }, [
        ['input', 'x'],
      ]),
      'invalid-structure',
      'the edge from input to x: there is no node x',
    ],
    [
      'a node without an input',
      graphOf(
        {
          input: { type: 'Input', shape: [1] },
          lif: lif(1),
          output: { type: 'Output', shape: [1] },
        },
        [['input', 'output']],
      ),
      'invalid-structure',
      'no edges lead from an Input to lif',
    ],
    [
      'an Input that is fed',
      graphOf({ input: { type: 'Input', shape: [1] }, output: { type: 'Output', shape: [1] } }, [
        ['input', 'output'],
        ['input', 'input'],
      ]),
      'invalid-structure',
      'input leads to the Input input',
    ],
    [
      'a layer of another width',
      chain([3], { lif: lif(2) }, [3]),
      'shape-mismatch',
      'lif (LIF): tau is [2]: expected [3]',
    ],
    [
      'an Output of another width',
      chain([2], { lif: lif(2) }, [3]),
      'shape-mismatch',
      'output (Output) takes [3] but is given [2]',
    ],
    [
      'a weight that does not fit',
      chain([3], { dense: { type: 'Linear', weight: tensor([2, 4], 1) } }, [2]),
      'shape-mismatch',
      'dense (Linear) takes [4] but is given [3]',
    ],
    [
      'a bias that does not fit',
      chain(
        [3],
        { dense: { type: 'Affine', weight: tensor([2, 3], 1), bias: tensor([3], 1) } },
        [2],
      ),
      'shape-mismatch',
      'dense (Affine): the bias is [3]: expected [2]',
    ],
    [
      'a kernel larger than its input',
      chain(
        [1, 2, 9],
        { pool: { type: 'SumPool2d', kernel_size: [3, 3], stride: [1, 1], padding: [0, 0] } },
        [1, 1, 7],
      ),
      'shape-mismatch',
      'pool (SumPool2d): a kernel that reaches over 3 does not fit into 2 with 0 of padding',
    ],
    [
      'a stride of 0',
      chain(
        [1, 4, 4],
        { pool: { type: 'AvgPool2d', kernel_size: [2, 2], stride: [0, 1], padding: [0, 0] } },
        [1, 1, 1],
      ),
      'invalid-setting',
      'pool (AvgPool2d): stride is 0: expected a whole number of at least 1',
    ],
    [
      'groups that do not split',
      chain(
        [2, 4],
        {
          conv: {
            type: 'Conv1d',
            weight: tensor([3, 1, 2], 1),
            stride: 1,
            padding: 0,
            dilation: 1,
            groups: 2,
            bias: tensor([3], 0),
          },
        },
        [3, 3],
      ),
      'shape-mismatch',
      'conv (Conv1d): 3 channels do not split into 2 groups',
    ],
    [
      'axes that are not there',
      chain([2, 4], { flat: { type: 'Flatten', start_dim: 0, end_dim: 2 } }, [8]),
      'shape-mismatch',
      'flat (Flatten): there are no axes 0 to 2 in [2, 4]',
    ],
    [
      'more neurons than any device holds',
      chain([100_000, 100_000], {}, [100_000, 100_000]),
      'shape-mismatch',
      'input gives [100000, 100000]: at most 268435456 numbers a step',
    ],
    [
      'a time constant of 0',
      chain([2], { lif: lif(2, { tau: tensor([2], [0.02, 0]) }) }, [2]),
      'invalid-structure',
      'lif (LIF): tau is 0 at neuron 1: expected more than 0',
    ],
    [
      'a step longer than a time constant',
      chain([1], { lif: lif(1, { tau: tensor([1], 1e-4) }) }, [1]),
      'invalid-structure',
      'lif (LIF): tau is 0.0001 at neuron 0, shorter than a step of 0.001: ' +
        'expected dt in the unit of the file, and at most every time constant',
    ],
    [
      'a threshold that is no number',
      chain([2], { lif: lif(2, { v_threshold: tensor([2], [1, Number.NaN]) }) }, [2]),
      'invalid-structure',
      'lif (LIF): v_threshold is NaN at 1: expected finite numbers',
    ],
    [
      'a weight that is infinite',
      chain(
        [1],
        { dense: { type: 'Linear', weight: tensor([1, 1], Number.POSITIVE_INFINITY) } },
        [1],
      ),
      'invalid-structure',
      'dense (Linear): weight is Infinity at 0: expected finite numbers',
    ],
    [
      'a tensor of other length than its shape',
      chain(
        [2],
        { scale: { type: 'Scale', scale: { shape: [2], data: Float64Array.of(1, 2, 3) } } },
        [2],
      ),
      'shape-mismatch',
      'scale (Scale): scale of shape [2] has 3 numbers',
    ],
    [
      'a delay into the future',
      chain([1], { late: { type: 'Delay', delay: tensor([1], -0.01) } }, [1]),
      'invalid-structure',
      'late (Delay): the delay is -0.01, -10 steps of 0.001: expected 0 to 65536',
    ],
    [
      'a loop without a state',
      graphOf(
        {
          input: { type: 'Input', shape: [1] },
          a: { type: 'Scale', scale: tensor([1], 0.5) },
          b: { type: 'Delay', delay: tensor([1], 0.0004) },
          output: { type: 'Output', shape: [1] },
        },
        [
          ['input', 'a'],
          ['a', 'b'],
          ['b', 'a'],
          ['a', 'output'],
        ],
      ),
      'invalid-structure',
      'the loop a > b > a has no neuron and no Delay of a step or more: expected one with a state',
    ],
    [
      'a nested graph with two ways in',
      graphOf(
        {
          input: { type: 'Input', shape: [1] },
          inner: graphOf(
            { a: { type: 'Input', shape: [1] }, b: { type: 'Input', shape: [1] } },
            [],
          ),
          output: { type: 'Output', shape: [1] },
        },
        [['input', 'inner']],
      ),
      'invalid-structure',
      'the nested graph inner has 2 nodes of type Input: expected 1',
    ],
  ])('with %s is refused', (_, graph, code, message) => {
    expect(planned(graph)).toThrow(expect.objectContaining({ code, message: `NIR: ${message}` }));
  });

  it('is laid open in the order of its signals, with one late edge for each loop', () => {
    const inner = graphOf(
      {
        input: { type: 'Input', shape: [2] },
        lif: lif(2),
        w_rec: { type: 'Linear', weight: tensor([2, 2], 1) },
        output: { type: 'Output', shape: [2] },
      },
      [
        ['input', 'lif'],
        ['lif', 'w_rec'],
        ['w_rec', 'lif'],
        ['lif', 'output'],
      ],
    );
    const graph = chain(
      [2],
      {
        layer: inner,
        readout: { type: 'LI', tau: tensor([], 0.01), r: tensor([], 1), v_leak: tensor([], 0) },
      },
      [2],
    );

    const plan = planNir(graph, discretisation);

    expect(plan.nodes.map(({ name }) => name).filter((name) => name !== 'layer.w_rec')).toEqual([
      'input',
      'layer.input',
      'layer.lif',
      'layer.output',
      'readout',
      'output',
    ]);
    expect([...plan.late]).toEqual([['layer.w_rec', 'layer.lif']]);
    expect([...flattenGraph(graph).nodes.keys()]).toContain('layer.w_rec');
  });

  it('never has a delay shortened below none, however its loops lie', () => {
    const late = (delay: number): NirNode => ({ type: 'Delay', delay: tensor([1], delay) });
    const nodes = {
      input: { type: 'Input', shape: [1] },
      first: lif(1),
      echo: late(0.003),
      second: lif(1),
      // By name this comes first, and nothing leads to it but the loop it is in.
      'a short one': late(0),
      output: { type: 'Output', shape: [1] },
    } as const;
    const edges = [
      ['input', 'first'],
      ['first', 'echo'],
      ['echo', 'first'],
      ['echo', 'second'],
      ['second', 'a short one'],
      ['a short one', 'second'],
      ['second', 'output'],
    ] as const;

    const plan = planNir(graphOf(nodes, edges), discretisation);
    const delays = Object.fromEntries(plan.nodes.map((node) => [node.name, node.delays?.[0]]));

    expect(delays).toMatchObject({ echo: 2, 'a short one': 0 });
    expect(plan.late.size).toBe(2);
  });

  it('may be a chain of any length', () => {
    const nodes = Array.from(
      { length: 9_000 },
      (_, i) => [`n${i}`, { type: 'Scale', scale: tensor([], 1) }] as const,
    );
    const plan = planNir(chain([1], Object.fromEntries<NirNode>(nodes), [1]), discretisation);

    expect(plan.nodes).toHaveLength(9_002);
    expect(plan.late.size).toBe(0);
  });
});
