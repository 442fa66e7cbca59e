import { wordsPerRow } from '../../graph/tensor.ts';
import type { Sequence, Store } from '../../kernel-language/body.ts';
import { printLoop, printScan } from './print-scan.ts';
import { type Printer } from './printer.ts';
import { type Printed, storesOf, type Target, walkedAxes, WORKGROUP } from './target.ts';

/** How the bits of a word come together. */
interface Packing {
  /** Marks the bit of a place: `slot` is the word's place among those of the invocation or its half. */
  mark(slot: string, condition: string): string;
  /** The word, when all its bits are marked. */
  word(slot: string): string;
  /** The condition under which other operands are stored, where not every invocation has a place. */
  readonly condition?: string;
}

const BY_WORD: Packing = {
  mark: (slot, condition) => `packed[${slot}] |= u32(${condition}) << lane;`,
  word: (slot) => `packed[${slot}]`,
};

/** Of the one word that an invocation has: no array, whose elements are in memory. */
const BY_ONE_WORD: Packing = {
  mark: (_, condition) => `packed |= u32(${condition}) << lane;`,
  word: () => 'packed',
};

const BY_LANES: Packing = {
  mark: (slot, condition) =>
    `atomicOr(&packed[2u * (${slot}) + half], u32(exists && ${condition}) << (local % 32u));`,
  word: (slot) => `atomicLoad(&packed[2u * (${slot}) + half])`,
  condition: 'exists',
};

/** Bits: a word of places of the last axis by one invocation, one after the other, or by 32 side by side. */
export function printPacked(printer: Printer, target: Target): Printed {
  const { body } = printer;
  const isWord = target.packing === 'word';
  const packed = storesOf(body).filter(({ operand }) => body.layouts[operand]?.element === 'bits');
  const steps = Math.max(1, ...body.sequences.map((one) => printer.stepsOf(one)));
  const slots = packed.length * steps;
  const packing = isWord ? (slots === 1 ? BY_ONE_WORD : BY_WORD) : BY_LANES;
  const slotOf = (store: Store, sequence: Sequence | undefined) =>
    `${packed.indexOf(store) * steps}u + u32(${sequence ? printer.coordinate(sequence.coordinate) : '0'})`;
  const sequenceOf = (store: Store) => body.sequences.find(({ stores }) => stores.includes(store));
  const write = (store: Store): string[] =>
    packed.includes(store)
      ? [packing.mark(slotOf(store, sequenceOf(store)), printer.mask(store.value))]
      : printer.stores([store], packing.condition);
  const ahead = isWord ? [...printer.linesOfRow(), ...printer.linesOfWord()] : [];
  const inside = [
    ...printScan(printer, (stores) => stores.flatMap(write)),
    ...printer.finish(body.stores, (stores) => stores.flatMap(write)),
  ];
  const flush = packed.flatMap((store) => {
    const sequence = sequenceOf(store);
    const word = packing.word(slotOf(store, sequence));
    const line = `${printer.operand(store.operand)}[${printer.wordAddress(store)}] = ${word};`;
    return sequence ? printLoop(printer, sequence, [line]) : [line];
  });
  return isWord
    ? printWords(printer, target.name, { ahead, inside, flush, slots })
    : printLanes(printer, target.name, { ahead, inside, flush, slots });
}

interface Parts {
  /** Lines in front of a loop over the places of a word. */
  readonly ahead: readonly string[];
  readonly inside: readonly string[];
  readonly flush: readonly string[];
  /** Words that an invocation, or half a workgroup, collects. */
  readonly slots: number;
}

function extentOf(printer: Printer) {
  const axes = walkedAxes(printer.body);
  const outer = axes.slice(0, -1);
  const inner = axes.at(-1);
  const width = printer.size(inner?.size ?? '');
  const words = wordsPerRow(width);
  const rows = outer.reduce((product, { size }) => product * printer.size(size), 1);
  return {
    outer,
    column: printer.coordinate(inner?.coordinate ?? ''),
    width,
    words,
    total: rows * words,
  };
}

function printWords(
  printer: Printer,
  name: string,
  { ahead, inside, flush, slots }: Parts,
): Printed {
  const { outer, column, width, words, total } = extentOf(printer);
  const code = [
    ...printer.head(),
    `@compute @workgroup_size(${WORKGROUP})`,
    `fn ${name}(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {`,
    `let word = id.y * groups.x * ${WORKGROUP}u + id.x;`,
    `if (word >= ${total}u) { return; }`,
    `let row_word = word % ${words}u;`,
    ...printer.places(`(word / ${words}u)`, outer),
    slots === 1 ? 'var packed = 0u;' : `var packed: array<u32, ${slots}>;`,
    ...ahead,
    `for (var lane = 0u; lane < min(32u, ${width}u - row_word * 32u); lane++) {`,
    `let ${column} = i32(row_word * 32u + lane);`,
    ...inside,
    '}',
    ...flush,
    '}',
  ];
  return { code: code.join('\n'), workgroups: Math.ceil(total / WORKGROUP) };
}

function printLanes(printer: Printer, name: string, { inside, flush, slots }: Parts): Printed {
  const { outer, column, width, words, total } = extentOf(printer);
  const place = 'row_word * 32u + local % 32u';
  const code = [
    ...printer.head(),
    `var<workgroup> packed: array<atomic<u32>, ${2 * slots}>;`,
    `@compute @workgroup_size(${WORKGROUP})`,
    `fn ${name}(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) local: u32) {`,
    'let half = local / 32u;',
    'let word = (group.y * groups.x + group.x) * 2u + half;',
    `let row_word = word % ${words}u;`,
    `let exists = word < ${total}u && ${place} < ${width}u;`,
    // Those without a place compute that of the last one and store nothing: barriers are for all.
    ...printer.places(`(min(word, ${total - 1}u) / ${words}u)`, outer),
    `let ${column} = i32(min(${place}, ${width - 1}u));`,
    ...inside,
    'workgroupBarrier();',
    `if (local % 32u == 0u && word < ${total}u) {`,
    ...flush,
    '}',
    '}',
  ];
  return { code: code.join('\n'), workgroups: Math.ceil(total / 2) };
}
