import { kernels } from '../../engine/kernels/kernels.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Graph } from '../../engine/graph/graph.ts';
import { type Lifetime, planArena } from '../../engine/graph/memory-plan.ts';
import { formatPlan } from '../../engine/graph/program.ts';
import { noParameters } from './play.ts';

const lifetimes = fc
  .array(
    fc.record({ words: fc.integer({ min: 1, max: 5000 }), first: fc.nat(40), length: fc.nat(20) }),
  )
  .map((lives) =>
    lives.map(({ words, first, length }, i): Lifetime => ({
      tensor: { name: `t${i}`, dtype: 'f32', shape: [words], block: 'arena' },
      first,
      last: first + length,
    })),
  );

describe('the arena plan', () => {
  it('never lets two tensors overlap that are live in the same call', () => {
    fc.assert(
      fc.property(lifetimes, (lives) => {
        const { placements, arenaBytes } = planArena(lives);
        expect(placements).toHaveLength(lives.length);
        for (const [i, a] of placements.entries()) {
          expect(a.offsetBytes % 256).toBe(0);
          expect(a.offsetBytes + a.sizeBytes).toBeLessThanOrEqual(arenaBytes);
          for (const b of placements.slice(i + 1)) {
            const together = a.first <= b.last && b.first <= a.last;
            const apart =
              a.offsetBytes + a.sizeBytes <= b.offsetBytes ||
              b.offsetBytes + b.sizeBytes <= a.offsetBytes;
            expect(!together || apart).toBe(true);
          }
        }
      }),
    );
  });

  it('is never smaller than what is live at once, and never larger than the sum', () => {
    fc.assert(
      fc.property(lifetimes, (lives) => {
        const { arenaBytes, peakBytes, sumBytes } = planArena(lives);
        expect(arenaBytes).toBeGreaterThanOrEqual(peakBytes);
        expect(arenaBytes).toBeLessThanOrEqual(sumBytes);
      }),
    );
  });

  it('gives the place of a dead tensor to the next one', () => {
    const graph = new Graph('chain', noParameters);
    const tensors = [1, 2, 3, 4].map((i) => graph.scratch(`t${i}`, 'f32', [1000]));
    graph.call(kernels.fill, { target: tensors[0]! }, { count: 1000, value: 1 });
    for (let i = 1; i < 4; i++) {
      graph.call(kernels.copy, { source: tensors[i - 1]!, target: tensors[i]! }, { count: 1000 });
    }

    const program = graph.build();

    expect(program.arena.arenaBytes).toBe(2 * 4096);
    expect(program.arena.sumBytes).toBe(4 * 4096);
    expect(formatPlan(program)).toMatch(/4096\s+4096\s+1-2\s+t2 f32\[1000\]/);
  });

  it('refuses a call that reads what nothing has written', () => {
    const graph = new Graph('broken', noParameters);
    const [source, target] = [graph.scratch('a', 'f32', [4]), graph.scratch('b', 'f32', [4])];
    graph.call(kernels.copy, { source, target }, { count: 4 });

    expect(() => graph.build()).toThrow(
      'broken: call 0 (copy) reads a f32[4] before anything wrote it',
    );
  });
});
