import type { JobEnvironment, JobFiles } from './environment.ts';
import { runJob } from './job.ts';
import type { EarlyEnd, FromJob, ToJob } from './job-messages.ts';

/** What jobs run in; which files one may name depends on whose it is. */
export type ServedEnvironment = Omit<JobEnvironment, 'files'> & {
  readonly filesOf?: (team: string) => JobFiles;
};

/**
 * The side that runs a job, in a process or a worker of its own: give it the messages that arrive,
 * and post what it tells. It runs one job and is done with the message `ended`.
 */
export function serveJob(
  { filesOf, ...shared }: ServedEnvironment,
  post: (message: FromJob) => void,
): (message: ToJob) => void {
  const early = new AbortController();
  let asked: EarlyEnd | undefined;
  return (message) => {
    if (message.type === 'end') {
      asked ??= message.how;
      early.abort();
      return;
    }
    const { lease, services } = message;
    const files = filesOf?.(lease.job.team);
    const environment = { ...shared, ...(files && { files }) };
    const link = { environment, early: early.signal, asked: () => asked, tell: post };
    void runJob(lease, services, link).then((end) => post({ type: 'ended', end }));
  };
}
