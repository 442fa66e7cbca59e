import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { arch, cpus, release, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';

/**
 * Measures the bars of docs/bars.md, one process after another so that none disturbs the next.
 *
 *   npm run bench                  everything, with a table at the end
 *   npm run bench -- --only 12     one bar
 *   npm run bench -- --only fuzz   one program that belongs to no bar, by its name: hours
 *   npm run bench -- --only kernels --before DIR   kernels beside those of another checkout
 *   npm run bench -- --only fusion   pairs of kernels as one; chains: what fusing could save
 *   npm run bench -- --only neurons  neurons of equations beside built-in LIF and beside float64
 *   npm run bench -- --only families --before DIR  losses and steps of all families beside those of another checkout
 *   npm run bench -- --only segments  training through 4,000 time steps in the memory of 500
 *   npm run bench -- --only presets  every family with every preset after 3 minutes, beside its floors: two hours
 *   npm run bench -- --only doctor   causes and remedies of 20 broken networks
 *   npm run bench -- --json        lines of JSON alone
 */
const perf = fileURLToPath(new URL('../tests/perf/', import.meta.url));

interface Program {
  /** None where it holds a number that no bar names; it is then measured with all of them. */
  readonly bars: readonly number[];
  readonly file: string;
  /** Settings that make a run short enough to stand among others; by itself it does all of it. */
  readonly short?: readonly string[];
  /** By which it is asked for; it is too long to be measured with all of them. */
  readonly alone?: string;
}

/** Which program measures which bars. */
const PROGRAMS: readonly Program[] = [
  { bars: [1, 2, 3], file: 'wasm-kernels.ts' },
  { bars: [4], file: 'chronospike-step.ts' },
  { bars: [5], file: 'mnist-step.ts' },
  { bars: [6], file: 'mnist-epoch.ts' },
  { bars: [5, 6], file: 'library-mnist.ts' },
  { bars: [7, 8], file: 'transformer-step.ts' },
  { bars: [9], file: 'wgsl-product.ts' },
  { bars: [10, 11], file: 'learning.ts' },
  { bars: [12], file: 'lab-responsiveness.ts' },
  { bars: [12], file: 'lab-speed.ts' },
  { bars: [13], file: 'gateway-latency.ts' },
  { bars: [13], file: 'gateway-load.ts' },
  { bars: [18], file: 'training-chaos.ts' },
  { bars: [14], file: 'inference-batching.ts' },
  { bars: [15], file: 'mqtt-load.ts' },
  { bars: [16], file: 'failover.ts', short: ['3'] },
  { bars: [17], file: 'latency-matrix.ts' },
  { bars: [], file: 'log-stream.ts', short: ['--seconds', '15'] },
  { bars: [21], file: 'log-list.ts' },
  { bars: [], file: 'fuzz.ts', alone: 'fuzz' },
  { bars: [], file: 'kernel-speeds.ts', alone: 'kernels' },
  { bars: [], file: 'fusion-chains.ts', alone: 'chains' },
  { bars: [], file: 'fusion.ts', alone: 'fusion' },
  { bars: [], file: 'families.ts', alone: 'families' },
  { bars: [], file: 'own-neurons.ts', alone: 'neurons' },
  { bars: [], file: 'time-segments.ts', alone: 'segments' },
  { bars: [], file: 'presets.ts', alone: 'presets' },
  { bars: [], file: 'doctor.ts', alone: 'doctor' },
];

/** Programs that measure another checkout as well. */
const BESIDE: ReadonlySet<string> = new Set(['kernels', 'families']);

/** Line that a program prints for each bar: see tests/perf/report.ts. */
interface Line {
  readonly bar?: number;
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly target: number;
  readonly met: boolean;
  readonly peers?: Readonly<Record<string, number>>;
}

const known: readonly (number | string)[] = [
  ...new Set(PROGRAMS.flatMap(({ bars, alone }) => [...bars, ...(alone ? [alone] : [])])),
];
const options = new Command('bench')
  .description('Measure the bars of docs/bars.md')
  .option('--only <bar>', 'the number of one bar, or the name of a program', parseBar)
  .option('--before <dir>', 'a checkout that is measured, too')
  .option('--json', 'lines of JSON alone')
  .parse()
  .opts<{ only?: number | string; before?: string; json?: true }>();

const machine = describeMachine();
if (!options.json) console.log(machine);
const lines: Line[] = [];
let failures = 0;
for (const program of PROGRAMS) {
  if (!isAsked(program)) continue;
  if (!(await measure(program))) failures++;
}
if (!options.json) printTable();
process.exit(failures === 0 ? 0 : 1);

function isAsked({ bars, alone }: Program): boolean {
  const { only } = options;
  if (only === undefined) return alone === undefined;
  return typeof only === 'number' ? bars.includes(only) : alone === only;
}

function parseBar(text: string): number | string {
  const bar = known.find((one) => String(one) === text);
  if (bar !== undefined) return bar;
  throw new InvalidArgumentError(`expected one of ${known.join(', ')}`);
}

function describeMachine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const processor = `${cpus().length} x ${cpu?.model ?? 'unknown processor'}`;
  return `${processor}, ${memory} GiB, ${process.platform} ${release()} ${arch()}, Node ${process.version}`;
}

/** Runs one program to its end and collects its lines; whether it ended well. */
async function measure(program: Program): Promise<boolean> {
  const { file } = program;
  const child = spawn(process.execPath, [`${perf}${file}`, ...argumentsOf(program)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill());
  for await (const text of createInterface(child.stdout)) {
    const line = JSON.parse(text) as Line;
    lines.push(line);
    console.log(options.json ? text : sentenceOf(line));
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  if (child.exitCode === 0) return true;
  console.error(`${file} ended with ${child.exitCode ?? child.signalCode}`);
  return false;
}

function argumentsOf({ short = [], alone }: Program): readonly string[] {
  const { only, before } = options;
  const bar = typeof only === 'number' ? ['--only', String(only)] : [];
  const beside =
    BESIDE.has(alone ?? '') && before !== undefined ? ['--before', resolve(before)] : [];
  return [...short, ...bar, ...beside];
}

function sentenceOf({ bar, name, value, unit, target, met }: Line): string {
  const which = bar === undefined ? '' : `bar ${bar}: `;
  return `${which}${name}: ${round(value)} ${unit}, ${met ? 'met' : 'missed'} (${round(target)})`;
}

function printTable(): void {
  console.log('\n| bar | what | measured | target | met | peers |');
  console.log('| --- | --- | --- | --- | --- | --- |');
  for (const { bar, name, value, unit, target, met, peers = {} } of lines) {
    const others = Object.entries(peers).map(([peer, its]) => `${peer} ${round(its)}`);
    const cells = [
      bar ?? '',
      name,
      `${round(value)} ${unit}`,
      round(target),
      met ? 'yes' : 'no',
      others.join(', '),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
  console.log(`\n${machine}`);
}

/** Three digits that say something. */
function round(value: number): string {
  return Math.abs(value) >= 1000 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
