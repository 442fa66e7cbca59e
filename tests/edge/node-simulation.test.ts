import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Simulation, step } from './simulated-nodes.ts';

describe('any messages, in any order', () => {
  it('a node is in one state, changes follow one another, and a node that sends is not inactive', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const simulation = new Simulation();
        for (const one of steps) {
          simulation.step(one);
          simulation.check();
        }

        simulation.watched.now += 5_000;
        simulation.sweep();
        simulation.check();
        expect(simulation.told.filter((status) => status !== 'inactive')).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});
