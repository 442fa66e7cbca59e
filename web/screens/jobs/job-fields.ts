import { JobStatus, TERMINAL } from '../../../edge/training/contract/job.ts';
import type { JobSearch } from '../../api/training.ts';
import { integer, oneOf, text, type Values } from '../../url-state/fields.ts';

export const STATUSES = ['', 'active', ...JobStatus.options] as const;
export const KINDS = ['', 'train', 'lm'] as const;

/** More curves than this are not distinguishable. */
export const MAX_COMPARED = 6;

/** The address state of the list of jobs. */
export const FIELDS = {
  status: oneOf('', STATUSES),
  kind: oneOf('', KINDS),
  model: text('', 128),
  trainer: text('', 64),
  /** Ids to compare, separated by commas. */
  compare: text('', 400),
  /** The initial values of the form for a new job, as JSON; empty while it is closed. */
  new: text('', 4000),
};
export type JobFields = Values<typeof FIELDS>;
export type ChangeJobFields = (change: Partial<JobFields>) => void;

export const JOB_TABS = [
  'curves',
  'timeline',
  'events',
  'checkpoints',
  'rounds',
  'config',
] as const;
const STEPS = { min: 0, max: 1_000_000_000 } as const;

/** The address state of one job. */
export const JOB_FIELDS = {
  tab: oneOf('curves', JOB_TABS),
  seat: integer(0, { min: 0, max: 63 }),
  /** The range of steps shown; all of them where both are 0. */
  from: integer(0, STEPS),
  to: integer(0, STEPS),
};
export type JobViewFields = Values<typeof JOB_FIELDS>;

export const NO_FILTERS = { status: '', kind: '', model: '', trainer: '' } as const;

const ACTIVE = JobStatus.options.filter((status) => !TERMINAL.has(status));

/** The search: non-empty filters, with full-width letters normalised. */
export function searchOf({ status, kind, model, trainer }: JobFields): JobSearch {
  const name = model.normalize('NFKC').trim();
  return {
    ...(status !== '' && { status: status === 'active' ? ACTIVE : [status] }),
    ...(kind !== '' && { kind }),
    ...(name !== '' && { model_name: name }),
    ...(trainer !== '' && { trainer_id: trainer }),
  };
}

/** The distinct ids in the address, up to the maximum. */
export const comparedIds = (written: string): readonly string[] =>
  [...new Set(written.split(',').filter((id) => id !== ''))].slice(0, MAX_COMPARED);

/** The address of the form for a new job with these initial values. */
export const newJobHref = (values: object): string =>
  `/jobs?new=${encodeURIComponent(JSON.stringify(values))}`;
