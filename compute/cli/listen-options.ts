import { availableParallelism } from 'node:os';
import { type Command, Option } from 'commander';
import { wholeFrom, wholeUpTo } from './numbers.ts';

/** Where a service of this machine listens, and whom it lets in: SERVICE_HOST, SERVICE_PORT, AUTH_MODE say it too. */
export function listenOptions(command: Command, port: number): Command {
  return command
    .addOption(
      new Option('--host <address>', 'listen here').env('SERVICE_HOST').default('127.0.0.1'),
    )
    .addOption(
      new Option('--port <n>', 'port to listen on; 0 picks a free one')
        .env('SERVICE_PORT')
        .default(port)
        .argParser(wholeUpTo(65_535)),
    )
    .addOption(
      new Option('--auth <mode>', 'local accepts this machine without a key')
        .choices(['local', 'required'])
        .env('AUTH_MODE')
        .default('local'),
    )
    .addOption(connectOption());
}

/** The option of a service that nobody can call but the gateway; SERVICE_CONNECT=1 says it too. */
export function connectOption(): Option {
  const option = new Option(
    '--connect',
    'listen on nothing: connect to the gateway, with a key that has service:connect as well',
  );
  return process.env['SERVICE_CONNECT'] === '1' ? option.default(true, 'SERVICE_CONNECT') : option;
}

const DEFAULT_WORKERS = 4;

/** Concurrency of a service; SERVICE_WORKERS sets it, too. */
export const workersOption = (description: string): Option =>
  new Option('--workers <n>', description)
    .env('SERVICE_WORKERS')
    .default(DEFAULT_WORKERS)
    .argParser(wholeFrom(1, 1024));

/** More workers than processors only take time from each other. */
export function countWorkers(wanted: number): number {
  const cores = availableParallelism();
  if (wanted <= cores) return wanted;
  console.error(`${wanted} workers were asked for; ${cores} start, one for each processor`);
  return cores;
}
