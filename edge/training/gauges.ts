import { JobStatus } from './contract/job.ts';
import { type TrainerRecord, TrainerRecord as TrainerSchema } from './contract/trainer.ts';
import { queueDepth } from '../monitoring/queue-depth.ts';
import type { Sample } from '../monitoring/sample.ts';

export interface Counted {
  readonly byStatus: Readonly<Partial<Record<JobStatus, number>>>;
  /** Seats that wait for a trainer. */
  readonly waiting: number;
  readonly trainers: readonly Pick<TrainerRecord, 'status'>[];
}

/** How many jobs and trainers there are in each state, as monitoring is told. */
export function gaugesOf({ byStatus, waiting, trainers }: Counted): readonly Sample[] {
  const statuses = TrainerSchema.shape.status.options;
  const countOf = (status: string) => trainers.filter((one) => one.status === status).length;
  return [
    queueDepth('training', 'jobs', waiting),
    ...JobStatus.options.map((status) =>
      gauge('jobs', 'Jobs in each state.', status, byStatus[status] ?? 0),
    ),
    ...statuses.map((status) =>
      gauge('trainers', 'Trainers in each state.', status, countOf(status)),
    ),
  ];
}

const gauge = (name: string, help: string, status: string, value: number): Sample => ({
  service: 'training',
  name,
  type: 'gauge',
  unit: null,
  help,
  labels: { status },
  at: undefined,
  value,
  temporality: 'cumulative',
  place: { pointer: '' },
});
