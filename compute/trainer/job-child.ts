import type { FromJob, JobPort } from '../../trainer/index.ts';
import { forkModule } from '../process/fork-module.ts';
import type { JobSetting } from './job-files.ts';

const JOB_PROCESS = new URL('./job-process.ts', import.meta.url);
/** The last lines of what a process wrote before it crashed. */
const TAIL_CHARACTERS = 600;

/** Starts a process for one job. */
export function startJobProcess(setting: JobSetting): JobPort {
  const child = forkModule(JOB_PROCESS, setting, 'pipe');
  let tail = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-TAIL_CHARACTERS);
  });
  // A message that can no longer be delivered was meant for a process that has ended.
  child.on('error', () => {});
  return {
    send: (message) => {
      if (child.connected) child.send(message);
    },
    listen(onMessage, onCrash) {
      child.on('message', (message: FromJob) => onMessage(message));
      child.on('exit', (code, signal) => {
        const how = signal ?? `exit code ${code}`;
        const output = tail.trim();
        const reason = `the process that trained ended with ${how}${output && `: ${output}`}`;
        onCrash(reason, signal === 'SIGKILL');
      });
    },
    close: () => void child.kill('SIGKILL'),
  };
}
