import { callEndpoint, type Http, openHttp } from '../../edge/contract/client.ts';
import { createRegistryClient } from '../../edge/registry/contract/client.ts';
import { jobEndpoints } from '../../edge/training/job-endpoints.ts';
import { type JobRecord, TERMINAL } from '../../edge/training/contract/job.ts';
import type { JobEvent } from '../../edge/training/contract/job-event.ts';
import { retry } from '../../trainer/backoff.ts';
import type { Outcome, Trial } from './chaos-jobs.ts';

/** How long a job stood still because its trainer was lost, in seconds. */
export interface Gap {
  /** The last heartbeat, and when it trained again. */
  readonly from: string;
  readonly to: string;
  /** From the last heartbeat until the service gave the trainer up. */
  readonly noticed: number;
  /** From then on until another was free. */
  readonly waited: number;
  /** From then on until that one trained. */
  readonly resumed: number;
}

/** Jobs of a platform that may be away at any moment. */
export interface Jobs {
  submit(trial: Trial, modelName: string): Promise<string>;
  areOver(ids: readonly string[]): Promise<boolean>;
  read(id: string): Promise<JobRecord>;
  gaps(job: JobRecord): Promise<readonly Gap[]>;
  /** Faults of a job that should have ended like an undisturbed run. */
  faults(job: JobRecord, expected: Outcome): Promise<readonly string[]>;
}

export function openJobs(gateway: string): Jobs {
  const training = openHttp({ base: `${gateway}/training` });
  const registry = createRegistryClient({ base: `${gateway}/registry` });
  const ask = async (id: string) =>
    (await callEndpoint(training, jobEndpoints.getJob, { params: { id } })).body;
  return {
    async submit({ request }, modelName) {
      const body = { ...request, model_name: modelName };
      return (await callEndpoint(training, jobEndpoints.train, { body })).body.job_id;
    },
    async areOver(ids) {
      // A server that does not respond now is called again.
      const jobs = await Promise.all(ids.map((id) => ask(id).catch(() => undefined)));
      return jobs.every((job) => job !== undefined && TERMINAL.has(job.status));
    },
    read: (id) => retry(() => ask(id)),
    gaps: async (job) => gapsOf(job, await eventsOf(training, job.job_id)),
    async faults(job, expected) {
      if (job.status !== 'succeeded') return [`${job.status}: ${job.error?.message}`];
      const { files, versions } = await retry(() =>
        registry.getModel({ params: { id: job.model_name } }),
      );
      const weights = files.find(({ filename }) => filename === 'model.safetensors')?.digest;
      const { valid_loss: loss } = job.metrics;
      return [
        ...(versions.length === 1 ? [] : [`${versions.length} versions`]),
        ...(weights === expected.weights ? [] : [`other weights: ${weights}`]),
        ...(loss === expected.validLoss ? [] : [`loss ${loss} instead of ${expected.validLoss}`]),
      ];
    },
  };
}

async function eventsOf(training: Http, id: string): Promise<readonly JobEvent[]> {
  const events: JobEvent[] = [];
  for (;;) {
    const query = { after: String(events.at(-1)?.seq ?? 0), limit: '1000' };
    const asked = { params: { id }, query };
    const { body } = await retry(() => callEndpoint(training, jobEndpoints.listEvents, asked));
    events.push(...body.events);
    if (!body.has_more) return events;
  }
}

/** Each time that a job was trained again after its trainer, or the process of the job, was lost. */
function gapsOf({ attempts }: JobRecord, events: readonly JobEvent[]): readonly Gap[] {
  const running = events.filter(
    ({ type, data }) => type === 'job.status' && data['to'] === 'running',
  );
  return running.flatMap(({ created_at: at }) => {
    const now = attempts.findLastIndex(({ started_at }) => started_at <= at);
    const [before, taken] = [attempts[now - 1], attempts[now]];
    if (!taken || !before?.ended_at || before.outcome === 'released') return [];
    return [
      {
        from: before.heartbeat_at,
        to: at,
        noticed: secondsBetween(before.heartbeat_at, before.ended_at),
        waited: secondsBetween(before.ended_at, taken.started_at),
        resumed: secondsBetween(taken.started_at, at),
      },
    ];
  });
}

const secondsBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1000;
