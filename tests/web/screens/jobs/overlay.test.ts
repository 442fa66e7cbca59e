import { describe, expect, it } from 'vitest';
import type { JobRecord } from '../../../../edge/training/contract/job.ts';
import type { MetricPoint } from '../../../../edge/training/contract/job-event.ts';
import { configDifferences, overlay } from '../../../../web/screens/jobs/overlay.ts';

const point = (step: number, loss: number | null): MetricPoint => ({
  step,
  seat: 0,
  time: step,
  train_loss: loss,
  valid_loss: null,
  tokens_per_s: null,
  spike_rate: null,
  learning_rate: null,
  grad_norm: null,
});

// Only what is compared of a job.
const job = ({ controls, ...config }: Record<string, unknown>, model_name = 'a') =>
  ({
    model_name,
    dataset_path: 'datasets/a',
    config,
    submitted: { controls },
    effective: null,
    priority: 50,
    replicas: 1,
    distributed: null,
    device: 'CPU',
  }) as unknown as JobRecord;

describe('runs beside each other', () => {
  it('have a row for each step of any of them, and a gap where one measured nothing', () => {
    const buffer = overlay([[point(10, 3), point(20, null)], [point(20, 2)]], 'train_loss');
    const { x, y } = buffer.window();

    expect([...x]).toEqual([10, 20]);
    expect(y.map((curve) => [...curve])).toEqual([
      [3, Number.NaN],
      [Number.NaN, 2],
    ]);
  });

  it('show only the fields in which they differ, nested ones by their path', () => {
    const differences = configDifferences([
      job({ seed: 1, steps: 10, controls: { warmup: 0.1, beta1: 0.9 } }),
      job({ seed: 1, minutes: 2, controls: { warmup: 0.2, beta1: 0.9 } }),
    ]);

    expect(differences).toEqual([
      { field: 'steps', values: ['10', undefined] },
      { field: 'controls.warmup', values: ['0.1', '0.2'] },
      { field: 'minutes', values: [undefined, '2'] },
    ]);
  });
});
