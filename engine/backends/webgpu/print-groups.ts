import { wordsPerRow } from '../../graph/tensor.ts';
import { segmentLength, type Sequence, type Store } from '../../kernel-language/body.ts';
import { closureOf, type Expression } from '../../kernel-language/expression.ts';
import { LEVEL, rootsOf } from '../../kernel-language/levels.ts';
import {
  keptInSteps,
  splitStores,
  type StepPass,
  stepPasses,
} from '../../kernel-language/step-passes.ts';
import { fixedIn, printLoop } from './print-scan.ts';
import type { Printer } from './printer.ts';
import { type Printed, storesOf, type Target, walkedAxes } from './target.ts';

/** Invocations of a row, by the widest row that takes so many; the last for all others. */
const LANES = [
  { width: 256, lanes: 64 },
  { width: Number.POSITIVE_INFINITY, lanes: 256 },
] as const;

/**
 * A workgroup for each row, whose places take every step together: invocations add up what they have for a mean
 * in workgroup memory. Barriers stand in loops over steps and segments alone, which all invocations run alike.
 */
export function printGroups(printer: Printer, target: Target): Printed {
  const { body } = printer;
  const width = printer.size(body.domain.at(-1)?.size ?? 1);
  const lanes = LANES.find((one) => width <= one.width)?.lanes ?? 64;
  const axes = walkedAxes(body).slice(0, -1);
  const rows = axes.reduce((product, { size }) => product * printer.size(size), 1);
  printer.slots = Math.ceil(width / lanes);
  const group = new GroupPrinter(printer, { width, lanes, slots: printer.slots });
  const code = [
    ...printer.head(),
    ...group.shared(),
    `@compute @workgroup_size(${lanes})`,
    `fn ${target.name}(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) lane: u32) {`,
    'let element = group.y * groups.x + group.x;',
    `if (element >= ${rows}u) { return; }`,
    ...printer.places('element', axes),
    ...printer.linesOfRow(),
    ...group.run(),
    ...group.finish(),
    '}',
  ].join('\n');
  return { code, workgroups: rows };
}

interface Row {
  readonly width: number;
  /** Invocations that share it. */
  readonly lanes: number;
  /** Places of it that each of them has. */
  readonly slots: number;
}

class GroupPrinter {
  readonly #printer: Printer;
  readonly #row: Row;
  /** Stores of bits, whose words the invocations put together. */
  readonly #packed: readonly Store[];

  constructor(printer: Printer, row: Row) {
    const { body } = printer;
    this.#printer = printer;
    this.#row = row;
    this.#packed = storesOf(body).filter(
      ({ operand }) => body.layouts[operand]?.element === 'bits',
    );
  }

  /** Workgroup memory, and the sum over a row. */
  shared(): string[] {
    const { lanes } = this.#row;
    const words = this.#packed.length * this.#words;
    return [
      ...(words > 0 ? [`var<workgroup> packed: array<atomic<u32>, ${words}>;`] : []),
      `var<workgroup> parts: array<f32, ${lanes}>;`,
      'fn row_sum(value: f32, lane: u32) -> f32 {',
      'parts[lane] = value;',
      `for (var half = ${lanes / 2}u; half > 0u; half /= 2u) {`,
      'workgroupBarrier();',
      'if (lane < half) { parts[lane] += parts[lane + half]; }',
      '}',
      'workgroupBarrier();',
      'let total = parts[0];',
      'workgroupBarrier();',
      'return total;',
      '}',
    ];
  }

  run(): string[] {
    const { sequences, isCheckpointed } = this.#printer.body;
    if (isCheckpointed) return this.#segments();
    return sequences.flatMap((sequence) => [
      ...this.#start(sequence),
      ...this.#trails(sequence, this.#printer.stepsOf(sequence)),
      ...this.#loop(sequence),
    ]);
  }

  /** Stores done after the last step. */
  finish(): string[] {
    const printer = this.#printer;
    const last = printer.body.sequences.at(-1);
    const { along, shared } = splitStores(printer.analysis, printer.body.stores);
    return [
      ...this.#each(last, () => printer.stores(along)),
      ...this.#once(shared),
      ...this.#flush(along),
    ];
  }

  get #words(): number {
    return wordsPerRow(this.#row.width);
  }

  /** Lines for each place of the row that the invocation has, with its states. */
  #each(sequence: Sequence | undefined, print: () => string[]): string[] {
    const printer = this.#printer;
    const { width, lanes } = this.#row;
    const inside = printer.scoped(print);
    if (inside.length === 0) return [];
    return [
      `for (var slot = 0; slot < ${this.#row.slots}; slot++) {`,
      `let place = u32(slot) * ${lanes}u + lane;`,
      `if (place < ${width}u) {`,
      `let ${printer.coordinate(printer.analysis.inner)} = i32(place);`,
      ...(sequence?.states ?? []).map(({ name }) => {
        const state = printer.state(name);
        return `let ${state} = ${arrayOf(state)}[slot];`;
      }),
      ...inside,
      '}',
      '}',
    ];
  }

  #start(sequence: Sequence): string[] {
    const printer = this.#printer;
    const { from, to, states } = sequence;
    const fixed = fixedIn(printer, sequence).filter(
      (node) =>
        printer.analysis.levelOf(node) < LEVEL.vector && printer.analysis.sumsBefore(node) === 0,
    );
    const { slots } = this.#row;
    return [
      ...printer.lines([from, to, ...fixed]),
      ...states.map(
        ({ name, type }) =>
          `var ${arrayOf(printer.state(name))}: array<${printer.typeOf(type)}, ${slots}>;`,
      ),
      ...this.#each(undefined, () => [
        ...printer.lines(states.map(({ initial }) => initial)),
        ...states.map(
          ({ name, initial }) =>
            `${arrayOf(printer.state(name))}[slot] = ${printer.name(initial)};`,
        ),
      ]),
    ];
  }

  #trails({ trail }: Sequence, steps: number): string[] {
    const printer = this.#printer;
    return trail.map(
      ({ name, value }) =>
        `var ${printer.trail(name)}: array<${printer.typeOf(value.type)}, ${steps * this.#row.slots}>;`,
    );
  }

  #loop(sequence: Sequence, first?: string): string[] {
    const printer = this.#printer;
    const inside = printer.scoped(() => this.#step(sequence));
    return printLoop(printer, sequence, inside, first);
  }

  #step(sequence: Sequence): string[] {
    const printer = this.#printer;
    const { analysis } = printer;
    const passes = stepPasses(analysis, sequence);
    const wanted = closureOf(passes.flatMap(({ roots }) => roots));
    const uniform = (means: number) =>
      printer.lines(
        wanted.filter(
          (node) => analysis.levelOf(node) < LEVEL.vector && analysis.sumsBefore(node) === means,
        ),
      );
    const kept = keptInSteps(analysis, passes);
    const arrays = new Map(Array.from(kept.keys(), (node, index) => [node, `kept_${index}`]));
    const walk = (index: number, print: () => string[]) =>
      this.#each(sequence, () => [
        ...keptBefore(printer, { passes, kept, arrays, index }),
        ...print(),
        ...Array.from(kept, ([node, pass]) => ({ node, pass })).flatMap(({ node, pass }) =>
          pass === index ? [`${arrays.get(node)}[slot] = ${printer.name(node)};`] : [],
        ),
      ]);
    const { along, shared } = splitStores(analysis, sequence.stores);
    return [
      ...Array.from(
        arrays,
        ([node, array]) => `var ${array}: array<${printer.typeOf(node.type)}, ${this.#row.slots}>;`,
      ),
      ...uniform(0),
      ...passes
        .slice(0, -1)
        .flatMap((pass, index) => [
          ...this.#means(pass, (print) => walk(index, print)),
          ...uniform(index + 1),
        ]),
      ...walk(passes.length - 1, () => this.#last(sequence, along)),
      ...this.#once(shared),
      ...this.#flush(along),
    ];
  }

  /** Adds up values over the row, and names their means. */
  #means({ means }: StepPass, walk: (print: () => string[]) => string[]): string[] {
    const printer = this.#printer;
    return [
      ...means.map((node) => `var ${totalOf(node)} = 0.0;`),
      ...walk(() => [
        ...printer.lines(means.map(({ value }) => value)),
        ...means.map((node) => `${totalOf(node)} += ${printer.name(node.value)};`),
      ]),
      ...means.map(
        (node) =>
          `let ${printer.declare(node)} = row_sum(${totalOf(node)}, lane) / ${this.#row.width}.0;`,
      ),
    ];
  }

  /** The end of a step: all values first, as what is stored may be what another one reads. */
  #last(sequence: Sequence, along: readonly Store[]): string[] {
    const printer = this.#printer;
    const { states, trail } = sequence;
    const at = printer.notedAt(sequence);
    return [
      ...printer.lines([
        ...states.map(({ next }) => next),
        ...trail.map(({ value }) => value),
        ...along.flatMap(rootsOf),
      ]),
      ...this.#stores(along),
      ...trail.map(({ name, value }) => `${printer.trail(name)}[${at}] = ${printer.name(value)};`),
      ...states.map(
        ({ name, next }) => `${arrayOf(printer.state(name))}[slot] = ${printer.name(next)};`,
      ),
    ];
  }

  #stores(along: readonly Store[]): string[] {
    const printer = this.#printer;
    return along.flatMap((store) => {
      const index = this.#packed.indexOf(store);
      if (index < 0) return printer.stores([store]);
      const word = `packed[${index * this.#words}u + place / 32u]`;
      return [`atomicOr(&${word}, u32(${printer.mask(store.value)}) << (place % 32u));`];
    });
  }

  /** Stores of what all places share. */
  #once(shared: readonly Store[]): string[] {
    if (shared.length === 0) return [];
    const printer = this.#printer;
    return ['if (lane == 0u) {', ...printer.scoped(() => printer.stores(shared)), '}'];
  }

  /** Writes the words of a step, when all invocations have marked their bits, and clears them. */
  #flush(along: readonly Store[]): string[] {
    const printer = this.#printer;
    const packed = along.filter((store) => this.#packed.includes(store));
    if (packed.length === 0) return [];
    const words = this.#words;
    return [
      'workgroupBarrier();',
      `for (var row_word = lane; row_word < ${words}u; row_word += ${this.#row.lanes}u) {`,
      ...packed.flatMap((store) => {
        const word = `packed[${this.#packed.indexOf(store) * words}u + row_word]`;
        const place = `${printer.operand(store.operand)}[${printer.wordAddress(store)}]`;
        return [`${place} = atomicExchange(&${word}, 0u);`];
      }),
      '}',
      'workgroupBarrier();',
    ];
  }

  /** The states at the start of each segment, and then segment by segment from the last, forth and back. */
  #segments(): string[] {
    const printer = this.#printer;
    const [forward, back] = printer.body.sequences as [Sequence, Sequence];
    const steps = printer.stepsOf(forward);
    const length = segmentLength(steps);
    const count = Math.ceil(steps / length);
    const { slots } = this.#row;
    const states = forward.states.map(({ name, type }) => ({
      array: arrayOf(printer.state(name)),
      type: printer.typeOf(type),
    }));
    const first = `segment * ${length}`;
    return [
      ...this.#start(forward),
      ...this.#trails(forward, length),
      ...states.map(
        ({ array, type }) => `var at_${array}: array<array<${type}, ${slots}>, ${count}>;`,
      ),
      `for (var segment = 0; segment < ${count}; segment++) {`,
      ...states.map(({ array }) => `at_${array}[segment] = ${array};`),
      ...this.#loop({ ...forward, trail: [] }, first),
      '}',
      ...this.#start(back),
      `for (var segment = ${count - 1}; segment >= 0; segment--) {`,
      ...states.map(({ array }) => `${array} = at_${array}[segment];`),
      ...this.#loop(forward, first),
      ...this.#loop(back, first),
      '}',
    ];
  }
}

interface KeptValues {
  readonly passes: readonly StepPass[];
  /** Costly values with the passes that compute them, and the arrays that have them. */
  readonly kept: ReadonlyMap<Expression, number>;
  readonly arrays: ReadonlyMap<Expression, string>;
  readonly index: number;
}

/** Names values that passes before this one have computed. */
function keptBefore(printer: Printer, { passes, kept, arrays, index }: KeptValues): string[] {
  const reached = new Set(closureOf(passes[index]?.roots ?? []));
  return Array.from(kept, ([node, pass]) => ({ node, pass })).flatMap(({ node, pass }) =>
    pass < index && reached.has(node)
      ? [`let ${printer.declare(node)} = ${arrays.get(node)}[slot];`]
      : [],
  );
}

const totalOf = ({ id }: Expression) => `total${id}`;
const arrayOf = (state: string) => `all_${state}`;
