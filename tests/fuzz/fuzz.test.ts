import { describe, expect, it } from 'vitest';
import { drawsOf } from './draws.ts';
import { caseOf, outcomeOf } from './target.ts';
import { targets } from './targets.ts';

/** The long run is that of tests/full/fuzz.test.ts. */
const CASES = 100;
const SEED = 20_261_122;

describe.each(targets.map((target) => [target.name, target] as const))('%s', (name, target) => {
  it('reads what it is made for', async () => {
    for (const seed of await target.seeds()) {
      expect([await outcomeOf(target, seed)]).toEqual(['read']);
    }
  });

  it('reads or refuses what was changed, and nothing else', async () => {
    const seeds = await target.seeds();
    for (let number = 0; number < CASES; number++) {
      const outcome = await outcomeOf(target, caseOf(target, seeds, drawsOf(name, SEED, number)));

      expect(outcome, `case ${number}`).toBeTypeOf('string');
    }
  });
});
