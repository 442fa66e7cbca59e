import { describe, expect, it } from 'vitest';
import { exampleRecords } from '../../../edge/training/contract/example-records.ts';
import type { JobRecord } from '../../../edge/training/contract/job.ts';
import { metadataOf, type SweepLabel } from '../../../edge/training/contract/sweep.ts';
import { fileOf, FIRST_FORM } from '../../../web/screens/sweeps/sweep-form.ts';
import { axesOf, sweepsIn } from '../../../web/screens/sweeps/sweep-runs.ts';

const { job: example } = exampleRecords();

const LABEL: SweepLabel = {
  id: 'widths-0a',
  method: 'asha',
  metric: 'valid_loss',
  runs: 3,
  run: 0,
  rung: 0,
  search: ['learning_rate', 'd_model', 'controls.weight_decay'],
  output: 'widths',
};

/** A job of a sweep that has reached a loss; none where it is under way. */
function jobOf(label: Partial<SweepLabel>, loss: number | null, more: Partial<JobRecord> = {}) {
  const { run = 0, rung = 0 } = label;
  return {
    ...example,
    job_id: `job_${run}${rung}`,
    status: loss === null ? 'running' : 'succeeded',
    learning_rate: 0.001 * (run + 1),
    config: { d_model: 16 * (run + 1) },
    submitted: { controls: { weight_decay: 0.1 } },
    progress: { ...example.progress, step: 100 },
    metrics: { ...example.metrics, valid_loss: loss },
    metadata: metadataOf({ ...LABEL, ...label }),
    ...more,
  } satisfies JobRecord;
}

describe('sweeps among jobs', () => {
  it('are told by labels alone, the newest first', () => {
    const created_at = '2027-01-01T00:00:00Z';
    const jobs = [
      { ...example, metadata: { sweep: 'no label' } },
      jobOf({}, 2),
      jobOf({ id: 'later-0b' }, 2, { created_at }),
    ];

    expect(sweepsIn(jobs).map(({ id }) => id)).toEqual(['later-0b', 'widths-0a']);
    expect(sweepsIn([])).toEqual([]);
  });

  it('have a run for all of its rungs, the best first and those without a value last', () => {
    const jobs = [
      jobOf({ run: 0 }, 2.5),
      jobOf({ run: 1 }, 2.25),
      jobOf({ run: 1, rung: 1 }, null),
      jobOf({ run: 2 }, null, { status: 'failed' }),
    ];

    const [sweep] = sweepsIn(jobs);

    expect(sweep).toMatchObject({ total: 3, live: 1, output: 'widths' });
    expect(sweep?.runs.map(({ run, rung, steps, value }) => [run, rung, steps, value])).toEqual([
      [2, 2, 200, 2.25],
      [1, 1, 100, 2.5],
      [3, 1, 100, null],
    ]);
    expect(axesOf(sweep!)).toEqual([
      { name: 'learning_rate', values: [0.002, 0.001, 0.003] },
      { name: 'd_model', values: [32, 16, 48] },
      { name: 'controls.weight_decay', values: [0.1, 0.1, 0.1] },
      { name: 'valid_loss', values: [2.25, 2.5, null] },
    ]);
  });

  it('are ranked by accuracy from the top', () => {
    const verdict = (reached: number): Partial<JobRecord> => ({
      verdict: {
        floor: { name: 'majority', figure: 'accuracy', value: 0.1 },
        reached,
        is_beaten: true,
      },
    });
    const metric = 'accuracy' as const;
    const jobs = [jobOf({ metric }, 1, verdict(0.5)), jobOf({ metric, run: 1 }, 1, verdict(0.75))];

    expect(sweepsIn(jobs)[0]?.runs.map(({ value }) => value)).toEqual([0.75, 0.5]);
  });
});

describe('the form of a sweep', () => {
  it('makes the members that its method needs', () => {
    const members = (method: 'grid' | 'random' | 'asha') =>
      Object.keys(fileOf({ ...FIRST_FORM, method }) ?? {});

    expect(members('grid')).not.toContain('runs');
    expect(members('random')).not.toContain('asha');
    expect(members('asha')).toEqual(expect.arrayContaining(['runs', 'asha', 'budget', 'search']));
  });

  it.each([{ search: '{}' }, { search: '[1]' }, { fixed: '{' }, { name: 'No Name' }])(
    'makes no file of %j',
    (wrong) => {
      expect(fileOf({ ...FIRST_FORM, ...wrong })).toBeUndefined();
    },
  );
});
