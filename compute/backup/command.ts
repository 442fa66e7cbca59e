import { resolve } from 'node:path';
import { Presets, SingleBar } from 'cli-progress';
import { Command } from 'commander';
import { gatewayOption } from '../cli/gateway-access.ts';
import { reportFailure } from '../cli/report-failure.ts';
import { OperatorError } from '../process/operator-error.ts';
import { EXIT_CODES, onStopSignal, type StopSignal } from '../process/stop-signals.ts';
import type { Manifest } from './archive.ts';
import type { Progress } from './backup.ts';
import { openPlatform, type Platform } from './platform.ts';
import { openState } from './state-platform.ts';

interface Options {
  readonly gateway: string;
  readonly keyFile?: string;
  readonly state?: string;
}

export interface BackupCommand {
  readonly name: string;
  readonly summary: string;
  /** The option for the folder of the backup, and its help text. */
  readonly folder: readonly [flags: string, description: string];
  /** Whether the state folder may be one that is only made. */
  readonly mayBeNew: boolean;
  /** Returns what to tell at the end. */
  run(platform: Platform, folder: string, progress: Progress): Promise<string>;
}

/** Runs a command to its end, or to Ctrl-C. What it writes is for its owner alone: keys and secrets are in it. */
export async function runCommand({
  name,
  summary,
  folder,
  mayBeNew,
  run,
}: BackupCommand): Promise<void> {
  process.umask(0o077);
  const command = new Command(name)
    .description(summary)
    .option('--gateway <url>', 'the gateway', gatewayOption, 'http://127.0.0.1:8000')
    .option('--key-file <file>', 'a file with a key of the scope admin (default: SPIKEGRID_KEY)')
    .option('--state <folder>', 'state folder of a stopped platform, instead of a gateway')
    .requiredOption(...folder)
    .parse(process.argv.slice(3), { from: 'user' });
  const { gateway, keyFile, state, ...rest } = command.opts<Options>();
  const [place = ''] = Object.values(rest as Record<string, string>);
  const stopped = new AbortController();
  let by: StopSignal | undefined;
  onStopSignal((signal) => {
    by = signal;
    stopped.abort();
  });
  const progress = createProgress();
  const opened =
    state === undefined ? undefined : await openState(state, { isNew: mayBeNew }).catch(fail);
  try {
    const platform = openPlatform({
      gateway: opened?.gateway ?? gateway,
      keyFile,
      signal: stopped.signal,
    });
    console.log(await run(platform, resolve(place), progress));
  } catch (error) {
    progress.stop();
    if (by) {
      console.error(`spikegrid: ${name} was interrupted; the same command goes on where it ended`);
      process.exitCode = EXIT_CODES[by];
    } else fail(error);
  } finally {
    progress.stop();
    await opened?.close();
  }
  process.exit();
}

function fail(error: unknown): undefined {
  const isForUsers = error instanceof OperatorError;
  if (isForUsers) console.error(`spikegrid: ${error.message}`);
  process.exitCode = isForUsers ? 1 : reportFailure(error);
  return undefined;
}

/** A bar for a terminal; a pipe gets a line for each step. */
function createProgress(): Progress & { stop(): void } {
  const bar = new SingleBar(
    { format: '{what} {bar} {value}/{total}', hideCursor: true },
    Presets.rect,
  );
  const isTerminal = process.stderr.isTTY === true;
  return {
    step(what, total) {
      bar.stop();
      if (total === 0) return;
      if (isTerminal) bar.start(total, 0, { what });
      else console.error(`${what}: ${total}`);
    },
    done: (count) => isTerminal && bar.update(count),
    stop: () => bar.stop(),
  };
}

export function stored({ objects, files, bytes }: Manifest): string {
  const rows = objects.flatMap(({ end }) => Object.values(end.rows)).reduce((sum, n) => sum + n, 0);
  return `${objects.length} objects with ${rows} rows, ${files} files of ${(bytes / 1e6).toFixed(1)} MB`;
}
