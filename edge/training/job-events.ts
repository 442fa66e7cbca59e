import { EventType } from '../events/contract/platform-event.ts';
import type { JobEvent } from './contract/job-event.ts';
import type { Outbox } from '../events/outbox.ts';
import type { StoredJob } from './store.ts';

/** Tells the platform of what happened to a job, where others than its followers are told of such. */
export function tellOf(
  outbox: Pick<Outbox, 'add'>,
  { jobId, job: { team } }: Pick<StoredJob, 'jobId' | 'job'>,
  event: JobEvent,
): void {
  const type = EventType.safeParse(event.type);
  if (!type.success) return;
  const { id, created_at: time, level, message } = event;
  const data = { job_id: jobId, level, message, ...event.data };
  outbox.add({ id, type: type.data, subject: jobId, team, time, data });
}
