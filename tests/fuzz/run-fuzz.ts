import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { targets } from './targets.ts';
import { MAX_GROWTH, type Outcome } from './watched-cases.ts';

export interface FuzzOptions {
  /** Cases of each parser, or of all of them by their names. */
  readonly count: number | ((name: string) => number);
  readonly seed?: number;
  /** The number of the first case. */
  readonly from?: number;
  readonly parsers?: readonly string[];
  /** Processes side by side. */
  readonly workers?: number;
  readonly onOutcome?: (outcome: Outcome) => void;
}

const FUZZ_PROCESS = fileURLToPath(new URL('./fuzz-process.ts', import.meta.url));

/** Reads mutated inputs of each parser in a process of its own, some parsers at a time. */
export async function runFuzz({
  count,
  seed = 1,
  from = 0,
  parsers = targets.map(({ name }) => name),
  workers = 2,
  onOutcome,
}: FuzzOptions): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  // The slowest goes first, so that none is left over for the end.
  const left = parsers.toSorted((a, b) => isCutOff(b) - isCutOff(a));
  const work = async () => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      const cases = typeof count === 'number' ? count : count(name);
      const outcome = await fuzzParser(name, { seed, from, cases });
      outcomes.push(outcome);
      onOutcome?.(outcome);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return outcomes;
}

const isCutOff = (name: string): number =>
  Number(targets.find((target) => target.name === name)?.isCutOff ?? false);

interface Range {
  readonly seed: number;
  readonly from: number;
  readonly cases: number;
}

async function fuzzParser(name: string, { seed, from, cases }: Range): Promise<Outcome> {
  const flags = ['--parser', name, '--seed', seed, '--from', from, '--count', cases].map(String);
  const child = spawn(process.execPath, [FUZZ_PROCESS, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const out = await text(child.stdout);
  const [code, signal] = await ended;
  if (code === 0) return JSON.parse(out) as Outcome;
  const faults = [{ number: from, fault: `the process ended with ${signal ?? code}: ${out}` }];
  const nothing = { cases: 0, seconds: 0, cpuSeconds: 0, read: 0, cutOff: 0, grownBytes: 0 };
  return { name, ...nothing, faults, grownAt: from };
}

/** Faults in the outcome of a parser, if any. */
export function faultsIn({ name, faults, grownBytes, grownAt }: Outcome): readonly string[] {
  const grown = `${name} grew by ${grownBytes} bytes, most at case ${grownAt}`;
  return [
    ...faults.map(({ number, fault }) => `${name}, case ${number}: ${fault}`),
    ...(grownBytes > MAX_GROWTH ? [grown] : []),
  ];
}

/** One line for people. */
export function lineOf({
  name,
  cases,
  seconds,
  cpuSeconds,
  read,
  cutOff,
  grownBytes,
}: Outcome): string {
  const ended = cutOff > 0 ? `, ${cutOff} ended at their limit` : '';
  return (
    `${name}: ${cases} cases in ${seconds.toFixed(0)} s (${cpuSeconds.toFixed(0)} s of processor), ${read} read${ended}, ` +
    `grown by ${(grownBytes / 2 ** 20).toFixed(0)} MiB`
  );
}

export const totalOf = (outcomes: readonly Outcome[]): number =>
  outcomes.reduce((sum, { cases }) => sum + cases, 0);
