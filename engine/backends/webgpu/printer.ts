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
  type Apply,
  closureOf,
  type Expression,
  type Load,
  partsOf,
  type ValueType,
} from '../../kernel-language/expression.ts';
import {
  type Access,
  analyse,
  type Analysis,
  LEVEL,
  rootsOf,
} from '../../kernel-language/levels.ts';
import { isSettled, settle } from '../../kernel-language/operators.ts';
import { PlaceNames, VECTOR } from './place-names.ts';
import { isChoice, printChoice } from './print-choice.ts';
import { bindingType, layoutOf, operandsIn, storesOf, type Target } from './target.ts';
import { applied, drawOf, literal, spell } from './wgsl-text.ts';
import { operandsAlong, WIDTH } from './wide.ts';

/** Prints expressions; each is a `let` of its own, named by its number: no name of a user gets into a shader. */
export class Printer {
  readonly body: Body;
  readonly analysis: Analysis;
  readonly #target: Target;
  /** Operands that are bound as vectors of four places; none where values are of one place. */
  readonly #wide: ReadonlySet<string>;
  /** Places of a value along the last axis. */
  readonly lanes: 1 | typeof WIDTH;
  readonly #draws: readonly Expression[];
  /** Values that have a name; the number of an angle where its sine and cosine do. */
  #known = new Set<Expression | number>();
  readonly #places: PlaceNames;
  /** Bits of a word that is read once for all of its places. */
  readonly #words = new Set<Load>();
  /** Places of a row that an invocation has, where these take each step together; `slot` is that at hand. */
  slots: number | undefined;
  /** Whether four places have drawn their random words together. */
  #isDrawn = false;

  /** Values along the last axis are of one place, or vectors of four. */
  constructor(body: Body, target: Target, lanes: 1 | typeof WIDTH = 1) {
    this.body = body;
    this.analysis = analyse(body);
    this.#target = target;
    this.lanes = lanes;
    this.#wide = lanes === 1 ? new Set() : operandsAlong(this.analysis);
    this.#places = new PlaceNames({
      layoutOf: (operand) => layoutOf(body, operand),
      isWide: (operand) => this.#wide.has(operand),
      size: (axis) => this.size(axis),
      name: (node) => this.name(node),
    });
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
    return node.kind === 'state' ? this.state(node.name) : `v${node.id}`;
  }

  /** The value as it is along the last axis: what its places share is repeated. */
  along(node: Expression): string {
    const name = this.name(node);
    return this.lanes === 1 || this.#isAlong(node) ? name : `${this.typeOf(node.type)}(${name})`;
  }

  /** The type of a value along the last axis. */
  typeOf(type: ValueType): string {
    return spell(type, this.lanes);
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
    return operandsIn(this.analysis).map((one) => {
      const type = spell(bindingType(this.body, one), this.#wide.has(one) ? WIDTH : 1);
      const binding = `@group(0) @binding(${this.#target.binding(one)})`;
      return `${binding} var<storage, read_write> ${this.operand(one)}: array<${type}>;`;
    });
  }

  /** A line for each value that has none yet. */
  lines(wanted: readonly Expression[]): string[] {
    const isKnown = (node: Expression) => this.#known.has(node) || isSettled(node);
    return closureOf(wanted, isKnown).flatMap((node) => {
      const isNamed = node.kind === 'load' || node.kind === 'apply' || node.kind === 'trail';
      if (!isNamed) return [];
      this.#known.add(node);
      return [
        ...this.#unitOf(node),
        ...(node.kind === 'load' && !this.#words.has(node) ? this.#places.lines(node) : []),
        `let ${this.name(node)} = ${this.#text(node)};`,
      ];
    });
  }

  /** Lines in front of a loop along the last axis: what its places share, and where their rows begin. */
  linesOfRow(): string[] {
    const written = new Set(storesOf(this.body).map(({ operand }) => operand));
    const { all, levelOf } = this.analysis;
    const fixed = new Set<Expression>();
    for (const node of all) {
      const isFixed =
        levelOf(node) <= LEVEL.item &&
        node.kind !== 'reduction' &&
        partsOf(node).every((part) => fixed.has(part));
      if (isFixed && !(node.kind === 'load' && written.has(node.operand))) fixed.add(node);
    }
    const rows: Access[] = [
      ...all.filter((node) => node.kind === 'load'),
      ...storesOf(this.body),
    ].filter(({ indices }) => indices.slice(0, -1).every((index) => fixed.has(index)));
    return [
      ...this.lines([...fixed]),
      ...rows.flatMap((access) => this.#places.linesOfRow(access)),
    ];
  }

  /** Lines in front of a loop over the places of a word of bits: the words that these read. */
  linesOfWord(): string[] {
    const bits = this.analysis.all.filter(
      (node): node is Load => node.kind === 'load' && this.#isOwnBit(node),
    );
    return bits.flatMap((node) => {
      this.#words.add(node);
      return [
        ...this.lines(node.indices.slice(0, -1)),
        `let word${node.id} = ${this.operand(node.operand)}[${this.wordAddress(node)}];`,
      ];
    });
  }

  /** Whether it is a bit at the present place, of a row that no step changes. */
  #isOwnBit({ operand, indices }: Load): boolean {
    const last = indices.at(-1);
    return (
      this.#layoutOf(operand).element === 'bits' &&
      last?.kind === 'coordinate' &&
      last.name === this.analysis.inner &&
      indices.slice(0, -1).every((index) => this.analysis.levelOf(index) <= LEVEL.item)
    );
  }

  /** Lines whose names mean nothing behind them. */
  scoped(print: () => string[]): string[] {
    const before = this.#known;
    this.#known = new Set(before);
    const printed = this.#places.scoped(print);
    this.#known = before;
    return printed;
  }

  stores(wanted: readonly Store[], condition?: string): string[] {
    const [only] = wanted;
    if (only && wanted.length === 1 && condition === undefined && isChoice(this, only.value)) {
      return printChoice(this, only, partsOf(only.value));
    }
    const before = this.lines(wanted.flatMap(rootsOf));
    const written = wanted.flatMap((store) => {
      const stored = this.#wide.has(store.operand)
        ? this.along(store.value)
        : this.name(store.value);
      const place = this.#places.lines(store);
      const line = `${this.operand(store.operand)}[${this.#places.name(store)}] = ${stored};`;
      return [...place, condition === undefined ? line : `if (${condition}) { ${line} }`];
    });
    return [...before, ...written];
  }

  /** Coordinates along the axes of one number that counts all of their places, or vectors, the last innermost. */
  places(element: string, axes: Body['domain']): string[] {
    let rest = element;
    return axes.toReversed().flatMap(({ coordinate, size }, index) => {
      const isAlong = coordinate === this.analysis.inner && this.lanes > 1;
      const count = this.size(size) / (isAlong ? this.lanes : 1);
      const place = index === axes.length - 1 ? rest : `${rest} % ${count}u`;
      rest = `(${rest} / ${count}u)`;
      const name = this.coordinate(coordinate);
      if (!isAlong) return [`let ${name} = i32(${place});`];
      return [
        `let ${VECTOR} = i32(${place});`,
        `let ${name} = ${this.lanes} * ${VECTOR} + vec4i(0, 1, 2, 3);`,
      ];
    });
  }

  finish(
    wanted: readonly Store[],
    write: (stores: readonly Store[]) => string[] = (all) => this.stores(all),
  ): string[] {
    const isChosen = wanted.length === 1 && wanted.some(({ value }) => isChoice(this, value));
    return [...this.lines(isChosen ? [] : wanted.flatMap(rootsOf)), ...write(wanted)];
  }

  /** The word with the bit of an element whose last index is the present place; the others are given. */
  wordAddress({ operand, indices }: Pick<Store, 'operand' | 'indices'>): string {
    const words = wordsPerRow(this.size(this.#layoutOf(operand).axes.at(-1) ?? 1));
    if (indices.length === 1) return 'i32(row_word)';
    return `(${this.#places.name({ operand, indices: indices.slice(0, -1) })}) * ${words} + i32(row_word)`;
  }

  /** Where a step notes values down. */
  notedAt(sequence: Sequence): string {
    const step = this.coordinate(sequence.coordinate);
    const first = `segment * ${segmentLength(this.stepsOf(sequence))}`;
    const place = this.body.isCheckpointed ? `${step} - ${first}` : step;
    return this.slots === undefined ? place : `(${place}) * ${this.slots} + slot`;
  }

  state(name: string): string {
    const all = this.body.sequences.flatMap(({ states }) => states);
    return `state_${all.findIndex((one) => one.name === name)}`;
  }

  trail(name: string): string {
    const all = this.body.sequences.flatMap(({ trail }) => trail);
    return `trail_${all.findIndex((one) => one.name === name)}`;
  }

  #isAlong(node: Expression): boolean {
    return this.analysis.levelOf(node) === LEVEL.vector;
  }

  #text(node: Expression): string {
    switch (node.kind) {
      case 'load':
        return this.#load(node);
      case 'trail': {
        const noting = this.body.sequences.find(({ trail }) =>
          trail.some(({ name }) => name === node.name),
        );
        return `${this.trail(node.name)}[${noting ? this.notedAt(noting) : '0'}]`;
      }
      case 'apply':
        return this.#apply(node);
      default:
        return this.name(node);
    }
  }

  #apply(node: Apply): string {
    const angle = angleOf(node);
    if (angle) return `unit${angle.id}.${node.operator === 'cos' ? 'x' : 'y'}`;
    if (node.operator === 'draw' && this.#isDrawn) return `draw${node.id}[place]`;
    const isAlong = this.lanes > 1 && this.#isAlong(node);
    const name = (arg: Expression) => (isAlong ? this.along(arg) : this.name(arg));
    return applied(node, name, isAlong ? WIDTH : 1);
  }

  /** Sine and cosine of an angle are found together. */
  #unitOf(node: Expression): string[] {
    const angle = angleOf(node);
    if (!angle || this.#known.has(angle.id)) return [];
    this.#known.add(angle.id);
    return [`let unit${angle.id} = unit(${this.name(angle)});`];
  }

  #load(load: Load): string {
    const { operand, type, id } = load;
    if (this.#words.has(load)) return `((word${id} >> lane) & 1u) == 1u`;
    const { element } = this.#layoutOf(operand);
    const at = this.#places.name(load);
    const own = this.operand(operand);
    if (element === 'bits') return `((${own}[(${at}) >> 5u] >> u32((${at}) & 31)) & 1u) == 1u`;
    if (element !== 'i32' || type !== 'i32') return `${own}[${at}]`;
    return `bitcast<${spell(type, this.#wide.has(operand) ? WIDTH : 1)}>(${own}[${at}])`;
  }

  #layoutOf(operand: string): Layout {
    return layoutOf(this.body, operand);
  }
}

function angleOf(node: Expression): Expression | undefined {
  const isWave = node.kind === 'apply' && (node.operator === 'sin' || node.operator === 'cos');
  return isWave ? node.args[0] : undefined;
}
