import { EngineError } from '../../errors.ts';
import { segmentLength } from '../../kernel-language/body.ts';
import { GroupPrinter, type Row } from './group-printer.ts';
import type { Printer } from './printer.ts';
import { type Printed, type Target, walkedAxes, WORKGROUP } from './target.ts';

/** How many invocations may share a row; of processors one takes each of many, or those that they compute side by side. */
const SHARERS = { many: [1, 4, 16, 64, 256], few: [4, 16, 64, 256], gpu: [64, 256] } as const;

/** Numbers that an invocation keeps for its places: the time that a processor takes to compile grows with their square. */
const MAX_OWN = 1536;
/** More than this no invocation is given: 256 KiB. */
const MAX_KEPT = 65_536;

/**
 * Rows whose places take every step together. A workgroup has a row, and its invocations add up what they have for
 * a mean in workgroup memory: barriers stand in loops over steps and segments alone, which all run alike. On
 * processors, where a barrier takes as long as a hundred places, an invocation has a short row by itself.
 */
export function printGroups(printer: Printer, target: Target): Printed {
  const { body } = printer;
  const axes = walkedAxes(body).slice(0, -1);
  const rows = axes.reduce((product, { size }) => product * printer.size(size), 1);
  const row = rowOf(printer, target, rows);
  const { lanes } = row;
  const isAlone = lanes === 1;
  const workgroup = isAlone && rows > 1 ? WORKGROUP : lanes;
  printer.slots = row.slots;
  const group = new GroupPrinter(printer, row);
  const index = 'group.y * groups.x + group.x';
  const code = [
    ...printer.head(),
    ...group.shared(),
    `@compute @workgroup_size(${workgroup})`,
    `fn ${target.name}(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) local: u32) {`,
    `let element = ${isAlone ? `(${index}) * ${workgroup}u + local` : index};`,
    `if (element >= ${rows}u) { return; }`,
    `let lane = ${isAlone ? '0u' : 'local'};`,
    ...group.own(),
    ...printer.places('element', axes),
    ...printer.linesOfRow(),
    ...group.run(),
    ...group.finish(),
    '}',
  ].join('\n');
  return { code, workgroups: isAlone ? Math.ceil(rows / workgroup) : rows };
}

function rowOf(printer: Printer, target: Target, rows: number): Row {
  const { body } = printer;
  const width = printer.size(body.domain.at(-1)?.size ?? 1);
  // As many with checkpoints as without: another number of invocations would round sums otherwise.
  const numbers = numbersOf(printer, (steps) => steps);
  // Rows that are few and long have more to do for each barrier.
  const few = rows < width ? SHARERS.few : SHARERS.many;
  const sharers = target.packing === 'word' ? few : SHARERS.gpu;
  const slotsOf = (lanes: number) => Math.ceil(width / lanes);
  const lanes = sharers.find((count) => slotsOf(count) * numbers <= MAX_OWN) ?? 256;
  const slots = slotsOf(lanes);
  const kept = slots * (body.isCheckpointed ? numbersOf(printer, segmentLength) : numbers);
  if (kept <= MAX_KEPT) return { width, lanes, slots };
  throw new EngineError(
    'out-of-memory',
    `each of ${lanes} invocations keeps ${kept} numbers of a layer of ${width} neurons: expected at most ${MAX_KEPT}, by fewer steps, or by checkpoints in a gradient`,
  );
}

/** Numbers of a place: states, what passes leave to later ones, and what is noted down of so many steps. */
function numbersOf(printer: Printer, noted: (steps: number) => number): number {
  return printer.body.sequences.reduce((sum, sequence) => {
    const steps = noted(printer.stepsOf(sequence));
    return sum + sequence.states.length * 2 + sequence.trail.length * steps;
  }, 0);
}
