import { type Command, Option } from 'commander';
import { wholeUpTo } from './numbers.ts';

/** Where a service of this machine listens, and whom it lets in: SERVICE_HOST, SERVICE_PORT, AUTH_MODE say it too. */
export function listenOptions(command: Command, port: number): Command {
  return command
    .addOption(
      new Option('--host <address>', 'listen here').env('SERVICE_HOST').default('127.0.0.1'),
    )
    .addOption(
      new Option('--port <n>', 'listen on this port; 0 is any free one')
        .env('SERVICE_PORT')
        .default(port)
        .argParser(wholeUpTo(65_535)),
    )
    .addOption(
      new Option('--auth <mode>', 'local lets this machine in without a key')
        .choices(['local', 'required'])
        .env('AUTH_MODE')
        .default('local'),
    );
}
