import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Graph } from '../../../engine/graph/graph.ts';
import { bcm, bcmDefaults } from '../../../engine/plasticity/bcm.ts';
import { stdp, type StdpOptions } from '../../../engine/plasticity/stdp.ts';
import { pairRule } from '../../../engine/plasticity/stdp-rules.ts';
import type { RuleSite } from '../../../engine/plasticity/synapses.ts';
import { columnsOf } from '../../../engine/simulator/synapses.ts';
import { noParameters } from '../play.ts';

const options: StdpOptions = { rule: pairRule, bounds: { low: 0, high: 1 }, boundary: 'hard' };

function site(graph: Graph, pre: number, post: number, weights: readonly number[]): RuleSite {
  return {
    name: 'rule',
    synapses: { pre, post, weight: graph.local('weight', 'f32', weights) },
    spikes: {
      pre: graph.local('pre', 'bits', [1, 1, pre]),
      post: graph.local('post', 'bits', [1, 1, post]),
    },
    dt: 1,
  };
}

describe('what rules refuse', () => {
  it.each([
    [{ tauPlus: 0 }, 'stdp: tauPlus is 0: expected a positive number'],
    [{ tauMinus: Number.NaN }, 'stdp: tauMinus is NaN: expected a positive number'],
    [
      { amplitudePlus: -1 },
      'amplitude of pairs (plus) is -1: expected a finite number of at least 0',
    ],
    [{ amplitudeMinus: Number.POSITIVE_INFINITY }, 'amplitude of pairs (minus) is Infinity'],
  ])('a pair rule with %o', (wrong, message) => {
    const graph = new Graph('rule', noParameters);
    const rule = { ...pairRule, ...wrong };

    expect(() => stdp(graph, site(graph, 4, 3, [4, 3]), { ...options, rule })).toThrow(message);
  });

  it('a step of no time, bounds the wrong way round, and weights of another shape', () => {
    const graph = new Graph('rule', noParameters);
    const fitting = site(graph, 4, 3, [4, 3]);
    const bounds = { low: 1, high: 0 };
    const other = new Graph('other', noParameters);

    expect(() => stdp(graph, { ...fitting, dt: 0 }, options)).toThrow('dt is 0');
    expect(() => stdp(graph, fitting, { ...options, bounds })).toThrow('weights from 1 to 0');
    expect(() => stdp(other, site(other, 4, 3, [3, 4]), options)).toThrow(
      'stdp weight: expected f32[4, 3], got weight f32[3, 4]',
    );
  });

  it('spikes of another population, and of more than one step', () => {
    const graph = new Graph('rule', noParameters);
    const fitting = site(graph, 4, 3, [4, 3]);
    const two = graph.local('two steps', 'bits', [2, 1, 3]);
    const crossed = { pre: fitting.spikes.post, post: fitting.spikes.pre };

    expect(() => bcm(graph, { ...fitting, spikes: crossed }, bcmDefaults)).toThrow(
      'bcm: expected one step of bits of 4 neurons, got post bits[1, 1, 3]',
    );
    expect(() =>
      bcm(graph, { ...fitting, spikes: { ...fitting.spikes, post: two } }, bcmDefaults),
    ).toThrow('bcm: expected one step of bits of 3 neurons, got two steps bits[2, 1, 3]');
  });
});

describe('synapses found by target', () => {
  it('are all synapses, each once, in the order of their sources', () => {
    const projection = fc.integer({ min: 1, max: 9 }).chain((post) =>
      fc.record({
        post: fc.constant(post),
        targets: fc.array(fc.uniqueArray(fc.nat({ max: post - 1 })), {
          minLength: 1,
          maxLength: 9,
        }),
      }),
    );
    fc.assert(
      fc.property(projection, ({ post, targets }) => {
        const rowStart = Uint32Array.of(
          0,
          ...targets.map((_, i) => targets.slice(0, i + 1).flat().length),
        );
        const target = Uint32Array.from(targets.flat());

        const { columnStart, synapseOf, source } = columnsOf({ rowStart, target }, post);

        expect([...synapseOf].toSorted((a, b) => a - b)).toEqual([...target.keys()]);
        for (let j = 0; j < post; j++) {
          const column = Array.from(source.slice(columnStart[j], columnStart[j + 1]));
          const expected = [...targets.keys()].filter((i) => targets[i]!.includes(j));
          expect(column).toEqual(expected);
          const leadsTo = [...synapseOf.slice(columnStart[j], columnStart[j + 1])];
          expect(leadsTo.every((k) => target[k] === j)).toBe(true);
        }
      }),
    );
  });
});
