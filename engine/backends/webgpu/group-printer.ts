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
import { storesOf } from './target.ts';

/** A row and those who share it. */
export interface Row {
  readonly width: number;
  /** Invocations that share it. */
  readonly lanes: number;
  /** Places of it that each of them has. */
  readonly slots: number;
}

/** Prints the steps of a row, whose places take each of them together. */
export class GroupPrinter {
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

  /** Words that the bits of a step go to. */
  own(): string[] {
    const words = this.#packed.length * this.#words;
    return this.#isAlone && words > 0 ? [`var packed: array<u32, ${words}>;`] : [];
  }

  /** Workgroup memory: the parts of the means of a pass, their sums by sections, and the words of a step. */
  shared(): string[] {
    if (this.#isAlone) return [];
    const { analysis, body } = this.#printer;
    const passes = body.sequences.flatMap((sequence) => stepPasses(analysis, sequence));
    const most = Math.max(...passes.map(({ means }) => means.length));
    const words = this.#packed.length * this.#words;
    return [
      ...(words > 0 ? [`var<workgroup> packed: array<atomic<u32>, ${words}>;`] : []),
      `var<workgroup> parts: array<f32, ${most * this.#row.lanes}>;`,
      `var<workgroup> sections: array<f32, ${most * this.#sections}>;`,
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

  get #isAlone(): boolean {
    return this.#row.lanes === 1;
  }

  /** Sections of a row's invocations that are added up side by side. */
  get #sections(): number {
    return 2 ** Math.floor(Math.log2(this.#row.lanes) / 2);
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
      ...this.#sums(means.map(totalOf)),
      ...means.map(
        (node) => `let ${printer.declare(node)} = ${totalOf(node)} / ${this.#row.width}.0;`,
      ),
    ];
  }

  /** Sums over all invocations of a row: each writes its parts, some add up a section of them, and all the sections. */
  #sums(totals: readonly string[]): string[] {
    if (this.#isAlone) return [];
    const { lanes } = this.#row;
    const sections = this.#sections;
    const length = lanes / sections;
    return [
      ...totals.map((total, index) => `parts[${index * lanes}u + lane] = ${total};`),
      'workgroupBarrier();',
      `for (var section = lane; section < ${totals.length * sections}u; section += ${lanes}u) {`,
      'var sum = 0.0;',
      `for (var i = 0u; i < ${length}u; i++) { sum += parts[section * ${length}u + i]; }`,
      'sections[section] = sum;',
      '}',
      'workgroupBarrier();',
      ...totals.flatMap((total, index) => [
        `${total} = 0.0;`,
        `for (var i = 0u; i < ${sections}u; i++) { ${total} += sections[${index * sections}u + i]; }`,
      ]),
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
      const bit = `u32(${printer.mask(store.value)}) << (place % 32u)`;
      return [this.#isAlone ? `${word} |= ${bit};` : `atomicOr(&${word}, ${bit});`];
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
    const barrier = this.#isAlone ? [] : ['workgroupBarrier();'];
    return [
      ...barrier,
      `for (var row_word = lane; row_word < ${words}u; row_word += ${this.#row.lanes}u) {`,
      ...packed.flatMap((store) => {
        const word = `packed[${this.#packed.indexOf(store) * words}u + row_word]`;
        const place = `${printer.operand(store.operand)}[${printer.wordAddress(store)}]`;
        if (!this.#isAlone) return [`${place} = atomicExchange(&${word}, 0u);`];
        return [`${place} = ${word};`, `${word} = 0u;`];
      }),
      '}',
      ...barrier,
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
