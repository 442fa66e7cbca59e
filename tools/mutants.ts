import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { AREAS, createDraw, isProduct } from './mutants/draw.ts';
import { type Fault, findPlace, type Place } from './mutants/lines.ts';
import { createTestRunner } from './mutants/run.ts';
import { createTestFinder, type Trial } from './mutants/tests.ts';

/**
 * Puts faults into lines of the product, one at a time, and says which of them the tests catch.
 *
 *   node tools/mutants.ts draw --record before.json --tree ../before --seed 18 --count 100
 *       draws faults in a checkout until the tests have caught that many; --areas wgsl,compute in some areas
 *       alone, --reach 100 with tests that import no more files than that, which are quick
 *   node tools/mutants.ts apply --record after.json --faults before.json
 *       puts those that were caught into this checkout, where their lines still exist
 *   node tools/mutants.ts table --record after.json --faults before.json
 *
 * A record is written after each fault and carried on where it exists. A checkout has its node_modules and
 * was used once (any npm script builds its kernels); it is restored whatever happens.
 */
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    record: { type: 'string' },
    faults: { type: 'string', default: '' },
    tree: { type: 'string', default: join(import.meta.dirname, '..') },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '100' },
    reach: { type: 'string', default: 'Infinity' },
    areas: { type: 'string', default: AREAS.join(',') },
  },
});

/** Of the tests that reach a file, the nearest. */
const MAX_TRIALS = 3;

type Outcome = 'caught' | 'survived' | 'rewritten' | 'unclear';
interface Tried extends Fault {
  readonly outcome: Outcome;
  readonly place?: Place;
  /** The test that caught it, or those that did not. */
  readonly by: readonly Trial[];
  readonly message?: string | undefined;
}
interface Progress {
  readonly commit: string;
  readonly seed: number;
  readonly tried: Tried[];
  /** Tests that pass without a fault: only these can catch one. */
  readonly passing: string[];
}

const root = resolve(options.tree);
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
const files = git('ls-files')
  .split('\n')
  .filter((file) => /\.(?:tsx?|mjs|wgsl)$/.test(file));
const recordPath = options.record ?? fail('--record is missing');
const record = readRecord(recordPath) ?? {
  commit: git('rev-parse', 'HEAD').trim(),
  seed: Number(options.seed),
  tried: [],
  passing: [],
};

let restore = () => {};
const run = createTestRunner(root);
process.on('exit', () => restore());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => process.exit(1));
}

const commands: { readonly [name: string]: () => void | Promise<void> } = { draw, apply, table };
await (commands[positionals[0] ?? ''] ?? (() => fail('expected draw, apply or table')))();
process.exit();

async function draw(): Promise<void> {
  const { trialsOf, isReached } = createTestFinder(root, files);
  const drawFault = createDraw(record.seed, { files, read, isReached });
  const areas = options.areas.split(',');
  const caught = () => record.tried.filter(({ outcome }) => outcome === 'caught').length;
  for (let id = 0; caught() < Number(options.count); id++) {
    const isKnown = record.tried.some((one) => one.id === id);
    const drawn = isKnown ? undefined : drawFault(id);
    const fault = areas.includes(drawn?.area ?? '') ? drawn : undefined;
    const all = fault ? trialsOf(fault.file, fault.line) : [];
    const trials = all.filter(({ reach }) => reach <= Number(options.reach)).slice(0, MAX_TRIALS);
    if (fault && trials.length > 0) keep({ ...fault, ...(await tryFault(fault, trials)) });
  }
}

async function apply(): Promise<void> {
  const before = readRecord(options.faults) ?? fail(`no record ${options.faults}`);
  const finder = createTestFinder(root, files);
  const sources = new Map(files.filter(isProduct).map((file) => [file, read(file)]));
  const renames = readRenames(before.commit);
  for (const fault of before.tried) {
    if (fault.outcome !== 'caught' || record.tried.some(({ id }) => id === fault.id)) continue;
    const { outcome: _, by, message: __, ...drawn } = fault;
    const place = findPlace(fault, sources, renames.get(fault.file) ?? fault.file);
    if (!place) keep({ ...drawn, outcome: 'rewritten', by: [] });
    if (!place) continue;
    const first = by.map(({ test, ...only }) => ({ ...only, test: newestOf(test, renames) }));
    const others = finder.trialsOf(place.file, place.line).slice(0, MAX_TRIALS);
    const more = others.filter(({ test }) => first.every((one) => one.test !== test));
    keep({ ...drawn, place, ...(await tryFault(place, [...first, ...more])) });
  }
}

/** A test that takes long may have moved to `npm run test:full`. */
function newestOf(test: string, renames: ReadonlyMap<string, string>): string {
  const name = renames.get(test) ?? test;
  const long = name.replace('.test.', '.full.test.');
  return existsSync(join(root, name)) ? name : long;
}

function readRenames(commit: string): ReadonlyMap<string, string> {
  const names = git('diff', '--name-status', '-M30%', '-l5000', '--diff-filter=R', commit, 'HEAD');
  return new Map(
    names.split('\n').map((line) => [line.split('\t')[1] ?? '', line.split('\t')[2] ?? '']),
  );
}

/** Makes the fault and tries tests until one fails that passes without it. */
async function tryFault(
  { file, line, faulty }: Omit<Place, 'likeness' | 'text'>,
  trials: readonly Trial[],
) {
  let outcome: Outcome = 'unclear';
  for (const trial of trials) {
    const broken = read(file).split('\n').with(line, faulty).join('\n');
    const ran = await withFault(file, broken, () => run(trial, file));
    if (ran.result === 'passed') outcome = 'survived';
    if (ran.result === 'endless') return { outcome: 'unclear' as const, by: [trial] };
    if (ran.result === 'failed') {
      const isCaught = await passes(trial, file);
      return {
        outcome: isCaught ? 'caught' : 'unclear',
        by: [trial],
        message: ran.message,
      } as const;
    }
  }
  return { outcome, by: trials };
}

async function withFault<T>(file: string, broken: string, work: () => Promise<T>): Promise<T> {
  git('diff', '--quiet', 'HEAD', '--', file);
  const source = read(file);
  restore = () => writeFileSync(join(root, file), source);
  try {
    writeFileSync(join(root, file), broken);
    return await work();
  } finally {
    restore();
    restore = () => {};
  }
}

/** Whether a test passes without a fault; asked once. */
async function passes(trial: Trial, file: string): Promise<boolean> {
  const name = `${trial.test} ${trial.only ?? ''}`.trim();
  if (record.passing.includes(name)) return true;
  const { result } = await run(trial, file);
  if (result === 'passed') record.passing.push(name);
  return result === 'passed';
}

function table(): void {
  const before = readRecord(options.faults) ?? fail(`no record ${options.faults}`);
  console.log('| area | drawn | caught before | rewritten | caught after | survived after |');
  for (const area of AREAS) {
    const count = (all: readonly Tried[], outcome?: Outcome) =>
      all.filter((one) => one.area === area && (!outcome || one.outcome === outcome)).length;
    const { tried } = record;
    const after = (['rewritten', 'caught', 'survived'] as const).map((one) => count(tried, one));
    console.log(
      `| ${[area, count(before.tried), count(before.tried, 'caught'), ...after].join(' | ')} |`,
    );
  }
}

function keep(tried: Tried): void {
  record.tried.push(tried);
  writeFileSync(recordPath, JSON.stringify(record, undefined, 1));
  const { id, outcome, place, file, line, operator, by } = tried;
  const where = `${place?.file ?? file}:${(place?.line ?? line) + 1}`;
  console.log(`${id} ${outcome} ${where} ${operator} (${by.map(({ test }) => test).join(', ')})`);
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

function readRecord(path: string): Progress | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Progress) : undefined;
}

function fail(message: string): never {
  console.error(`mutants: ${message}`);
  process.exit(1);
}
