import { type ChildProcess, fork } from 'node:child_process';
import { withoutSecrets } from './secrets.ts';

/** Starts a module of ours as a process, with one argument as JSON and a channel for messages. */
export function forkModule(module: URL, argument: object, stderr: 'pipe' | 'ignore'): ChildProcess {
  return fork(module, [JSON.stringify(argument)], {
    stdio: ['ignore', 'ignore', stderr, 'ipc'],
    env: { ...withoutSecrets(process.env) },
  });
}
