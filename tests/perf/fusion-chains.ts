import { parseArgs } from 'node:util';
import { type KernelCall, operandsOf } from '../../engine/graph/kernel.ts';
import type { Program } from '../../engine/graph/program.ts';
import type { Tensor } from '../../engine/graph/tensor.ts';
import { closureOf } from '../../engine/kernel-language/expression.ts';
import { isWritten, variantOf } from '../../engine/kernel-language/written-kernel.ts';
import '../engine/dawn.ts';
import { backends, type Device, steps, type Warm } from './fusion-programs.ts';
import { median, note } from './report.ts';

/**
 * The most that fusing neighbouring kernels could save of a step, in each family: docs/decisions/0037-fusion.md.
 * Run by hand: `npm run bench -- --only chains`, or after it `node tests/perf/fusion-chains.ts --on wasm1 --links`.
 */
const { values: given } = parseArgs({
  options: {
    on: { type: 'string', default: 'wasm1,wasm2,webgpu' },
    only: { type: 'string', default: '' },
    links: { type: 'boolean', default: false },
  },
});
const PLAYS = { wasm1: 31, wasm2: 31, webgpu: 5 };

type Kind = 'by hand' | 'map' | 'reduce' | 'scan';

function kindOf(call: KernelCall): Kind {
  if (!isWritten(call.kernel)) return 'by hand';
  const { body } = variantOf(call);
  if (body.sequences.length > 0) return 'scan';
  const all = closureOf(body.stores.map(({ value }) => value));
  return all.some(({ kind }) => kind === 'reduction') ? 'reduce' : 'map';
}

/** Two calls by equations of which the second reads scratch that the first wrote. */
interface Link {
  readonly from: number;
  readonly to: number;
  /** Nobody else reads the scratch: fused, it need not be stored. */
  readonly isAlone: boolean;
}

function linksOf({ calls }: Program): Link[] {
  const writers = new Map<Tensor, number>();
  const links: (Omit<Link, 'isAlone'> & { readonly tensor: Tensor })[] = [];
  const uses = new Map<Tensor, number>();
  for (const [to, call] of calls.entries()) {
    for (const { tensor, role } of operandsOf(call)) {
      if (tensor.block !== 'arena') continue;
      uses.set(tensor, (uses.get(tensor) ?? 0) + 1);
      const from = writers.get(tensor);
      if (role !== 'write' && from !== undefined) links.push({ from, to, tensor });
      if (role !== 'read') writers.set(tensor, to);
    }
  }
  return links.map(({ from, to, tensor }) => ({ from, to, isAlone: uses.get(tensor) === 2 }));
}

/** Milliseconds of each call: the median of some plays. */
async function timesOf({ player, program }: Warm, plays: number): Promise<number[]> {
  const timed: Float64Array[] = [];
  for (let play = 0; play < plays; play++) timed.push(await player.time(program));
  return program.calls.map((_, call) => median(timed.map((times) => times[call] ?? 0)));
}

/**
 * The most that links can save, each call fused once: a fused kernel takes at least as long as the longer
 * of the two that it is made of.
 */
function boundOf(links: readonly Link[], ms: readonly number[]): number {
  const saved = ({ from, to }: Link) => Math.min(ms[from] ?? 0, ms[to] ?? 0);
  const taken = new Set<number>();
  let sum = 0;
  for (const link of links.toSorted((a, b) => saved(b) - saved(a))) {
    if (taken.has(link.from)) continue;
    taken.add(link.from);
    sum += saved(link);
  }
  return sum;
}

async function show(name: string, warm: Warm, plays: number): Promise<void> {
  const { calls } = warm.program;
  const ms = await timesOf(warm, plays);
  const all = ms.reduce((sum, one) => sum + one, 0);
  const share = (part: number) => `${((100 * part) / all).toFixed(1)} %`;
  const kinds = calls.map(kindOf);
  const of = (kind: Kind) => share(ms.reduce((s, one, i) => s + (kinds[i] === kind ? one : 0), 0));
  const links = linksOf(warm.program).filter(
    ({ from, to }) => kinds[from] !== 'by hand' && kinds[to] !== 'by hand',
  );
  const maps = links.filter(({ from, isAlone }) => isAlone && kinds[from] === 'map');
  const alone = links.filter(({ isAlone }) => isAlone);
  const cells = [
    `${calls.length} calls`,
    `${all.toFixed(2)} ms`,
    ...(['map', 'reduce', 'scan'] as const).map((kind) => `${kind} ${of(kind)}`),
    `maps into one consumer: ${maps.length}, at most ${share(boundOf(maps, ms))}`,
    `anything into one consumer: ${alone.length}, at most ${share(boundOf(alone, ms))}`,
    `any neighbours: ${links.length}, at most ${share(boundOf(links, ms))}`,
  ];
  note(`${name}: ${cells.join('; ')}`);
  if (given.links) listLinks(warm.program, links, ms, all);
}

/** Links between the same kernels together, with the fractions that both calls take. */
function listLinks(
  { calls }: Program,
  links: readonly Link[],
  ms: readonly number[],
  all: number,
): void {
  const groups = new Map<string, { count: number; from: number; to: number }>();
  const nameOf = (call: number) => calls[call]?.kernel.name;
  for (const { from, to, isAlone } of links) {
    const key = `${nameOf(from)} -> ${nameOf(to)}${isAlone ? '' : ', read by others'}`;
    const group = groups.get(key) ?? { count: 0, from: 0, to: 0 };
    groups.set(key, {
      count: group.count + 1,
      from: group.from + (ms[from] ?? 0),
      to: group.to + (ms[to] ?? 0),
    });
  }
  const percent = (part: number) => ((100 * part) / all).toFixed(2);
  for (const [key, { count, from, to }] of groups) {
    note(`${String(count).padStart(3)} x ${percent(from)} % + ${percent(to)} %  ${key}`);
  }
}

for (const on of given.on.split(',') as Device[]) {
  for (const [name, play] of Object.entries(steps)) {
    if (!name.includes(given.only)) continue;
    const backend = await backends[on]();
    const size = on === 'webgpu' ? 'tiny' : 'small';
    const warm = await play({ backend, change: (program) => program, size });
    await show(`${name}, ${on}`, warm, PLAYS[on]);
    warm.player.close();
    backend.close();
  }
}
// Dawn keeps threads of its own.
process.exit(0);
