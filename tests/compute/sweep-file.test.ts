import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createJournal, openJournal } from '../../compute/sweep/journal.ts';
import { openSweep } from '../../compute/sweep/open-sweep.ts';
import { sweepPage } from '../../compute/sweep/report.ts';
import { resultsOf } from '../../compute/sweep/results.ts';
import { planOf, requestOf } from '../../compute/sweep/sweep-plan.ts';
import { NOTHING } from '../../compute/sweep/machine.ts';
import { sweepLabelOf } from '../../edge/training/contract/sweep.ts';
import type { SweepFileInput } from '../../edge/training/contract/sweep-file.ts';
import { smallSweep } from './sweep-jobs.ts';

const planned = (changes: object = {}) => planOf(JSON.stringify({ ...smallSweep, ...changes }));
const pointsOf = (changes: Partial<SweepFileInput>) => planned(changes).points;
const unfixed = { runs: undefined, method: 'grid', fixed: {} } as const;

describe('the runs of a sweep', () => {
  it('are all combinations of a grid, the last field changing fastest', () => {
    const points = pointsOf({
      ...unfixed,
      search: {
        d_model: [16, 32],
        learning_rate: { from: 0.001, to: 0.1, scale: 'log', points: 3 },
        num_blocks: { from: 1, to: 3, whole: true, points: 5 },
      },
    });

    expect(points).toHaveLength(2 * 3 * 3);
    expect(points.slice(0, 4)).toEqual([
      { d_model: 16, learning_rate: 0.001, num_blocks: 1 },
      { d_model: 16, learning_rate: 0.001, num_blocks: 2 },
      { d_model: 16, learning_rate: 0.001, num_blocks: 3 },
      { d_model: 16, learning_rate: 0.01, num_blocks: 1 },
    ]);
  });

  it('are drawn within their ranges, by the seed and their number alone', () => {
    const search = {
      learning_rate: { from: 0.0005, to: 0.02, scale: 'log' },
      num_blocks: { from: 1, to: 3, whole: true },
      d_model: [16, 32],
    } satisfies SweepFileInput['search'];
    const draw = (seed: number, runs: number) => pointsOf({ seed, runs, fixed: {}, search });
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.integer({ min: 1, max: 50 }), (seed, runs) => {
        const points = draw(seed, runs);

        expect(draw(seed, runs + 3).slice(0, runs)).toEqual(points);
        for (const { learning_rate: rate, num_blocks: blocks, d_model: width } of points) {
          expect(Number(rate) >= 0.0005 && Number(rate) <= 0.02).toBe(true);
          expect([1, 2, 3]).toContain(blocks);
          expect([16, 32]).toContain(width);
        }
      }),
      { numRuns: 20 },
    );
    const many = draw(1, 900);
    const below = many.filter(({ learning_rate: rate }) => Number(rate) < 0.00316).length;
    expect(Math.abs(below - 450)).toBeLessThan(60);
    for (const blocks of [1, 2, 3]) {
      const found = many.filter((point) => point['num_blocks'] === blocks).length;
      expect(Math.abs(found - 300)).toBeLessThan(60);
    }
    expect(draw(2, 5)).not.toEqual(draw(3, 5));
  });
});

describe('the jobs of a sweep', () => {
  const plan = planned({
    method: 'asha',
    asha: { first_steps: 100, eta: 3 },
    budget: { steps: 1000 },
    base_model: 'whale@1.2.0',
    search: { learning_rate: [0.01], 'controls.weight_decay': [0.1], seed: [7] },
  });
  const sweep = { ...plan, id: 'small-1', datasetPath: 'datasets/x' };

  it('are a rung after the other, each with the steps that are missing', () => {
    const requests = [0, 1, 2, 3].map((rung) => requestOf(sweep, { run: 2, rung }));

    expect(plan.steps).toEqual([100, 300, 900, 1000]);
    expect(requests.map(({ config }) => config.steps)).toEqual([100, 200, 600, 100]);
    expect(requests.map((request) => request.base_model)).toEqual([
      { model_id: 'whale', version: '1.2.0' },
      { model_id: 'small-1.run-0003', version: '1.0.0' },
      { model_id: 'small-1.run-0003', version: '1.1.0' },
      { model_id: 'small-1.run-0003', version: '1.2.0' },
    ]);
    expect(requests[1]).toMatchObject({
      output_name: 'small-1.run-0003',
      model_version: '1.1.0',
      learning_rate: 0.01,
      controls: { weight_decay: 0.1 },
      config: { seed: 7, d_model: 16 },
    });
    expect(sweepLabelOf({ metadata: requests[1]?.metadata ?? {} })).toMatchObject({
      id: 'small-1',
      run: 2,
      rung: 1,
      runs: 4,
      search: ['learning_rate', 'controls.weight_decay', 'seed'],
    });
    expect(sweepLabelOf({ metadata: {} })).toBeUndefined();
  });

  it('have a page though nothing has happened', () => {
    const page = sweepPage(resultsOf(sweep, NOTHING));

    expect(page).toContain('No run has a value.');
    expect(page).toContain('controls.weight_decay');
  });
});

describe('the files of the documentation', () => {
  it.each([
    ['guide.md', 16],
    ['design/sweeps.md', 32],
  ])('of %s are sweeps', (page, runs) => {
    const path = fileURLToPath(new URL(`../../docs/${page}`, import.meta.url));
    const files = [...readFileSync(path, 'utf8').matchAll(/```json\n([^]*?)```/g)];

    const sweeps = files.filter(([, text]) => text?.includes('"search"'));
    expect(sweeps.map(([, text]) => planOf(text ?? '').points.length)).toEqual([runs]);
  });
});

describe('a file that is refused', () => {
  it.each([
    [{ name: 'No Name' }, '/name: expected 1 to 64 of a-z 0-9 . _ -'],
    [{ method: 'gird' }, '/method: '],
    [{ runs: 1001 }, '/runs: .*1000.*got 1001'],
    [{ runs: undefined }, '/runs: expected for random and asha'],
    [{ method: 'grid', search: { seed: [1] } }, '/runs: .*not for grid'],
    [{ method: 'asha' }, '/asha: expected for the method asha'],
    [{ asha: { first_steps: 4 } }, '/asha: expected for the method asha, and for no other'],
    [{ method: 'asha', asha: { first_steps: 12 } }, '/asha/first_steps: expected fewer than'],
    [
      { method: 'asha', asha: { first_steps: 4 }, budget: { minutes: 3 } },
      '/budget: expected steps: the rungs of asha',
    ],
    [{ budget: {} }, '/budget: expected one of steps, epochs, minutes'],
    [{ budget: { steps: 1, minutes: 2 } }, '/budget: expected one of'],
    [{ search: {} }, '/search: expected at least one field'],
    [{ search: { d_model: [16] } }, '/search: expected each field in fixed or in search'],
    [{ search: { steps: [1, 2] } }, '/search: expected steps, epochs or minutes in budget alone'],
    [{ search: { 'a b': [1] } }, 'expected the name of a field such as d_model'],
    [{ search: { seed: { from: 3, to: 3 } } }, '/search/seed/to: expected more than from'],
    [
      { search: { learning_rate: { from: 0, to: 1, scale: 'log' } } },
      '/search/learning_rate/from: expected a number above 0.*got',
    ],
    [{ search: { learning_rate: [-1] } }, 'run 1 is refused: /learning_rate: .*got -1'],
    [{ search: { width: [1] } }, 'run 1 is refused: /config/width: unknown name'],
    [{ ...unfixed, search: { seed: { from: 1, to: 2 } } }, 'search.seed.points is missing'],
    [
      { ...unfixed, search: { seed: range(50), d_model: range(50) } },
      'the grid has 2500 runs .50 of seed times 50 of d_model., expected at most 1000',
    ],
    [{ colour: 'red' }, '/colour: unknown name'],
  ])('%j', (changes, message) => {
    expect(() => planned(changes)).toThrow(new RegExp(message));
  });

  it('is no JSON', () => {
    expect(() => planOf('name: small', 'small.yaml')).toThrow(/^small\.yaml is not JSON: /);
  });
});

function range(points: number) {
  return { from: 1, to: 1000, whole: true, points };
}

describe('the folder of a sweep', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'spikegrid-sweep-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const open = (changes: object = {}, mustResume = false) =>
    openSweep(planned(changes), {
      folder,
      mustResume,
      placeDataset: async () => 'datasets/novel',
    });

  it('has one sweep, which goes on with its id, its dataset and all whole lines', async () => {
    const first = await open();
    await first.journal.append({ kind: 'begun', run: 0, rung: 0 });
    await first.journal.append({ kind: 'submitted', run: 0, rung: 0, job: 'a' });
    first[Symbol.dispose]();
    const path = join(folder, 'journal.jsonl');
    writeFileSync(path, '{"kind":"ended","run":0,', { flag: 'a' });

    const again = await open({ parallel: 9 }, true);

    expect(again.isResumed).toBe(true);
    expect(again.sweep).toMatchObject({ id: first.sweep.id, datasetPath: 'datasets/novel' });
    expect(again.journal.state()).toEqual(first.journal.state());
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(4);
    await expect(open()).rejects.toThrow(/^process \d+ drives the sweep in /);
    again[Symbol.dispose]();
    await expect(open({ seed: 2 })).rejects.toThrow(
      /holds a sweep with seed 1, .* says 2: expected/,
    );
  });

  it('has none where one is to be resumed, or one that nobody can read', async () => {
    await expect(open({}, true)).rejects.toThrow(/has no journal: expected that of a sweep/);
    await createJournal(folder, { id: 'x', file: {} });
    writeFileSync(join(folder, 'journal.jsonl'), '{"kind":"nonsense"}\n', { flag: 'a' });

    await expect(openJournal(folder)).rejects.toThrow(/journal\.jsonl:2 is no line of a sweep/);
  });
});
