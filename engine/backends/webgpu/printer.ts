import { wordsPerRow } from '../../graph/tensor.ts';
import {
  type Body,
  type Layout,
  segmentLength,
  type Sequence,
  sizeOf,
  type Store,
} from '../../kernel-language/body.ts';
import {
  closureOf,
  type Expression,
  type Load,
  partsOf,
} from '../../kernel-language/expression.ts';
import { analyse, type Analysis, rootsOf, sequenceRoots } from '../../kernel-language/levels.ts';
import { isSettled, settle } from '../../kernel-language/operators.ts';
import { isChoice, printChoice } from './print-choice.ts';
import { bindingType, layoutOf, operandsIn, storesOf, type Target } from './target.ts';
import { applied, drawOf, helpersFor, literal } from './wgsl-text.ts';

/** Prints expressions; each is a `let` of its own, named by its number: no name of a user gets into a shader. */
export class Printer {
  readonly body: Body;
  readonly analysis: Analysis;
  readonly #target: Target;
  readonly #draws: readonly Expression[];
  /** Values that have a name; the number of an angle where its sine and cosine do. */
  #known = new Set<Expression | number>();
  /** Whether four places have drawn their random words together. */
  #isDrawn = false;

  constructor(body: Body, target: Target) {
    this.body = body;
    this.analysis = analyse(body);
    this.#target = target;
    this.#draws = this.analysis.all.filter(
      (node) => node.kind === 'apply' && node.operator === 'draw',
    );
  }

  get hasDraws(): boolean {
    return this.#draws.length > 0;
  }

  /** Variables for what places side by side draw together. */
  declareDraws(): string[] {
    return this.#draws.map(({ id }) => `var draw${id}: vec4u;`);
  }

  /** Draws four random words at a place; from there on `place` says which of them is meant. */
  drawFour(): string[] {
    const printed = this.scoped(() =>
      this.#draws.flatMap((node) => {
        const args = partsOf(node);
        const words = drawOf(args.map((arg) => this.name(arg)));
        return [...this.lines(args), `draw${node.id} = ${words};`];
      }),
    );
    this.#isDrawn = true;
    return printed;
  }

  size(axis: number | string): number {
    return typeof axis === 'number' ? axis : sizeOf(axis, (name) => this.#target.attribute(name));
  }

  operand(name: string): string {
    return `o${this.#target.binding(name)}`;
  }

  coordinate(name: string): string {
    return `at_${this.body.domain.findIndex((axis) => axis.coordinate === name)}`;
  }

  stepName({ coordinate }: Sequence): string {
    return this.coordinate(coordinate);
  }

  /** Steps that there may be, for the length of arrays. */
  stepsOf({ coordinate }: Sequence): number {
    return this.size(this.body.domain.find((axis) => axis.coordinate === coordinate)?.size ?? 1);
  }

  name(node: Expression): string {
    if (isSettled(node)) {
      return literal(
        settle(node, (name) => this.#target.attribute(name)),
        node.type,
      );
    }
    if (node.kind === 'coordinate') return this.coordinate(node.name);
    return node.kind === 'state' ? this.#state(node.name) : `v${node.id}`;
  }

  /** Gives a node a name without a line for it. */
  declare(node: Expression): string {
    this.#known.add(node);
    return `v${node.id}`;
  }

  mask(node: Expression): string {
    const isSpike = node.kind === 'apply' && node.operator === 'fires';
    return this.name((isSpike ? node.args[0] : undefined) ?? node);
  }

  head(): string[] {
    const bindings = operandsIn(this.analysis).map((one) => {
      const type = `array<${bindingType(this.body, one)}>`;
      const binding = `@group(0) @binding(${this.#target.binding(one)})`;
      return `${binding} var<storage, read_write> ${this.operand(one)}: ${type};`;
    });
    return [...bindings, ...helpersFor(this.analysis.all)];
  }

  /** A line for each value that has none yet. */
  lines(wanted: readonly Expression[]): string[] {
    const isKnown = (node: Expression) => this.#known.has(node) || isSettled(node);
    return closureOf(wanted, isKnown).flatMap((node) => {
      const isNamed = node.kind === 'load' || node.kind === 'apply' || node.kind === 'trail';
      if (!isNamed) return [];
      this.#known.add(node);
      return [...this.#unitOf(node), `let ${this.name(node)} = ${this.#text(node)};`];
    });
  }

  /** Lines whose names mean nothing behind them. */
  scoped(print: () => string[]): string[] {
    const before = this.#known;
    this.#known = new Set(before);
    const printed = print();
    this.#known = before;
    return printed;
  }

  stores(wanted: readonly Store[], condition?: string): string[] {
    const [only] = wanted;
    if (only && wanted.length === 1 && condition === undefined && isChoice(this, only.value)) {
      return printChoice(this, only, partsOf(only.value));
    }
    const written = wanted.map(({ operand, indices, value }) => {
      const place = this.#offset(layoutOf(this.body, operand), indices);
      const line = `${this.operand(operand)}[${place}] = ${this.name(value)};`;
      return condition === undefined ? line : `if (${condition}) { ${line} }`;
    });
    return [...this.lines(wanted.flatMap(rootsOf)), ...written];
  }

  /** A loop over the steps of a sequence, or those of the segment that begins with step `start`. */
  loop(sequence: Sequence, inside: readonly string[], start?: string): string[] {
    const step = this.stepName(sequence);
    const length = segmentLength(this.stepsOf(sequence));
    const last = this.name(sequence.to);
    const from = start ?? this.name(sequence.from);
    const to = start === undefined ? last : `min(${last}, ${start} + ${length})`;
    const head = sequence.isBackward
      ? `for (var ${step} = ${to} - 1; ${step} >= ${from}; ${step}--) {`
      : `for (var ${step} = ${from}; ${step} < ${to}; ${step}++) {`;
    return [head, ...inside, '}'];
  }

  /** Coordinates along the axes of one number that counts them all, the last innermost. */
  places(element: string, axes: Body['domain']): string[] {
    let rest = element;
    return axes.toReversed().map(({ coordinate, size }, index) => {
      const isOutermost = index === axes.length - 1;
      const place = isOutermost ? rest : `${rest} % ${this.size(size)}u`;
      rest = `(${rest} / ${this.size(size)}u)`;
      return `let ${this.coordinate(coordinate)} = i32(${place});`;
    });
  }

  /** All sequences: states are variables, what is noted down an array of them. */
  scan(write: (stores: readonly Store[]) => string[]): string[] {
    const { sequences, isCheckpointed } = this.body;
    if (isCheckpointed) return this.#segments(write);
    return sequences.flatMap((sequence) => [
      ...this.#start(sequence),
      ...this.#trails(sequence, this.stepsOf(sequence)),
      ...this.loop(
        sequence,
        this.scoped(() => this.#step(sequence, write)),
      ),
    ]);
  }

  finish(
    wanted: readonly Store[],
    write: (stores: readonly Store[]) => string[] = (all) => this.stores(all),
  ): string[] {
    const isChosen = wanted.length === 1 && wanted.some(({ value }) => isChoice(this, value));
    return [...this.lines(isChosen ? [] : wanted.flatMap(rootsOf)), ...write(wanted)];
  }

  /** The word of a store's bits; its indices name coordinates and the step alone. */
  wordAddress({ operand, indices }: Store): string {
    const layout = layoutOf(this.body, operand);
    const words = wordsPerRow(this.size(layout.axes.at(-1) ?? 1));
    if (indices.length === 1) return 'i32(row_word)';
    return `(${this.#offset(layout, indices.slice(0, -1))}) * ${words} + i32(row_word)`;
  }

  /** The states at the start of each segment, and then segment by segment from the last, forth and back. */
  #segments(write: (stores: readonly Store[]) => string[]): string[] {
    const [forward, back] = this.body.sequences as [Sequence, Sequence];
    const steps = this.stepsOf(forward);
    const length = segmentLength(steps);
    const count = Math.ceil(steps / length);
    const states = forward.states.map(({ name }) => this.#state(name));
    const dry = { ...forward, trail: [] };
    const run = (sequence: Sequence) =>
      this.loop(
        sequence,
        this.scoped(() => this.#step(sequence, write)),
        `segment * ${length}`,
      );
    return [
      ...this.#start(forward),
      ...this.#trails(forward, length),
      ...states.map((state) => `var kept_${state}: array<f32, ${count}>;`),
      `for (var segment = 0; segment < ${count}; segment++) {`,
      ...states.map((state) => `kept_${state}[segment] = ${state};`),
      ...run(dry),
      '}',
      ...this.#start(back),
      `for (var segment = ${count - 1}; segment >= 0; segment--) {`,
      ...states.map((state) => `${state} = kept_${state}[segment];`),
      ...run(forward),
      ...run(back),
      '}',
    ];
  }

  /** Lines in front of a loop: its states, and what is the same in every step, which no compiler may move. */
  #start(sequence: Sequence): string[] {
    const { from, to, states } = sequence;
    return [
      ...this.lines([from, to, ...states.map(({ initial }) => initial)]),
      ...this.lines(this.#fixedIn(sequence)),
      ...states.map(({ name, initial }) => `var ${this.#state(name)} = ${this.name(initial)};`),
    ];
  }

  /** Values of a step that depend neither on it nor on what is stored meanwhile. */
  #fixedIn(sequence: Sequence): readonly Expression[] {
    const written = new Set(storesOf(this.body).map(({ operand }) => operand));
    const moving = new Set<Expression>();
    const all = closureOf(sequenceRoots(sequence));
    for (const node of all) {
      const isMoving =
        node.kind === 'state' ||
        node.kind === 'trail' ||
        (node.kind === 'coordinate' && node.name === sequence.coordinate) ||
        (node.kind === 'load' && written.has(node.operand)) ||
        partsOf(node).some((part) => moving.has(part));
      if (isMoving) moving.add(node);
    }
    return all.filter((node) => !moving.has(node));
  }

  #trails({ trail }: Sequence, length: number): string[] {
    return trail.map(
      ({ name, value }) => `var ${this.#trail(name)}: array<${value.type}, ${length}>;`,
    );
  }

  /** Where a step notes values down. */
  #notedAt(sequence: Sequence): string {
    const step = this.stepName(sequence);
    if (!this.body.isCheckpointed) return step;
    return `${step} - segment * ${segmentLength(this.stepsOf(sequence))}`;
  }

  #step(sequence: Sequence, write: (stores: readonly Store[]) => string[]): string[] {
    const { states, trail, stores } = sequence;
    const step = this.#notedAt(sequence);
    // All values first: what is stored may be what another one reads.
    return [
      ...this.lines(states.map(({ next }) => next)),
      ...this.lines(trail.map(({ value }) => value)),
      ...this.lines(stores.flatMap(rootsOf)),
      ...write(stores),
      ...trail.map(({ name, value }) => `${this.#trail(name)}[${step}] = ${this.name(value)};`),
      ...states.map(({ name, next }) => `let next_${this.#state(name)} = ${this.name(next)};`),
      ...states.map(({ name }) => `${this.#state(name)} = next_${this.#state(name)};`),
    ];
  }

  #text(node: Expression): string {
    switch (node.kind) {
      case 'load':
        return this.#load(node);
      case 'trail': {
        const noting = this.body.sequences.find(({ trail }) =>
          trail.some(({ name }) => name === node.name),
        );
        return `${this.#trail(node.name)}[${noting ? this.#notedAt(noting) : '0'}]`;
      }
      case 'apply':
        if (angleOf(node)) {
          return `unit${angleOf(node)?.id}.${node.operator === 'cos' ? 'x' : 'y'}`;
        }
        if (node.operator === 'draw' && this.#isDrawn) return `draw${node.id}[place]`;
        return applied(node, (arg) => this.name(arg));
      default:
        return this.name(node);
    }
  }

  /** Sine and cosine of an angle are found together. */
  #unitOf(node: Expression): string[] {
    const angle = angleOf(node);
    if (!angle || this.#known.has(angle.id)) return [];
    this.#known.add(angle.id);
    return [`let unit${angle.id} = unit(${this.name(angle)});`];
  }

  #load({ operand, indices, type }: Load): string {
    const layout = layoutOf(this.body, operand);
    const at = this.#offset(layout, indices);
    const own = this.operand(operand);
    if (layout.element === 'bits')
      return `((${own}[(${at}) >> 5u] >> u32((${at}) & 31)) & 1u) == 1u`;
    const isSigned = layout.element === 'i32' && type === 'i32';
    return isSigned ? `bitcast<i32>(${own}[${at}])` : `${own}[${at}]`;
  }

  /** The place of an element, in bits where these are packed; of the first axes alone with fewer indices. */
  #offset({ axes, element }: Layout, indices: readonly Expression[]): string {
    return indices.reduce((text, index, axis) => {
      if (axis === 0) return this.name(index);
      const given = this.size(axes[axis] ?? 1);
      const isPacked = element === 'bits' && axis === axes.length - 1;
      return `(${text}) * ${isPacked ? 32 * wordsPerRow(given) : given} + ${this.name(index)}`;
    }, '0');
  }

  #state(name: string): string {
    const all = this.body.sequences.flatMap(({ states }) => states);
    return `state_${all.findIndex((one) => one.name === name)}`;
  }

  #trail(name: string): string {
    const all = this.body.sequences.flatMap(({ trail }) => trail);
    return `trail_${all.findIndex((one) => one.name === name)}`;
  }
}

function angleOf(node: Expression): Expression | undefined {
  const isWave = node.kind === 'apply' && (node.operator === 'sin' || node.operator === 'cos');
  return isWave ? node.args[0] : undefined;
}
