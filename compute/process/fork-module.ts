import { type ChildProcess, fork } from 'node:child_process';

const DIRECT_IMPORTS = new URL('./direct-imports.ts', import.meta.url).href;

/** Starts a module of ours as a process, with one argument as JSON and a channel for messages. */
export function forkModule(module: URL, argument: object, stderr: 'pipe' | 'ignore'): ChildProcess {
  return fork(module, [JSON.stringify(argument)], {
    stdio: ['ignore', 'ignore', stderr, 'ipc'],
    execArgv: [...process.execArgv, '--import', DIRECT_IMPORTS],
  });
}
