import type { JobEnvironment } from './environment.ts';
import { runJob } from './job.ts';
import type { EarlyEnd, FromJob, ToJob } from './job-messages.ts';

/**
 * The side that runs a job, in a process or a worker of its own: give it the messages that arrive,
 * and post what it tells. It runs one job and is done with the message `ended`.
 */
export function serveJob(
  environment: JobEnvironment,
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
    const link = { environment, early: early.signal, asked: () => asked, tell: post };
    void runJob(lease, services, link).then((end) => post({ type: 'ended', end }));
  };
}
