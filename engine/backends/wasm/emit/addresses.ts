import type { Layout, Sequence } from '../../../kernel-language/body.ts';
import { closureOf, type Expression } from '../../../kernel-language/expression.ts';
import { keyOf, known, unsupported } from './access-keys.ts';
import { type FunctionCode, type Local, PARAMETERS } from './function-code.ts';
import { type Moving, movingOf } from './moving.ts';
import { Strides } from './strides.ts';
import {
  type Access,
  type Analysis,
  LEVEL,
  type Level,
  sequenceRoots,
} from '../../../kernel-language/levels.ts';

/** Places of operands and attributes among the arguments of a kernel. */
export interface ArgumentPlaces {
  readonly operands: ReadonlyMap<string, number>;
  readonly attributes: ReadonlyMap<string, { readonly place: number; readonly isFloat: boolean }>;
  /** Floats that the attributes determine. */
  readonly settled: ReadonlyMap<Expression, number>;
  /** Steps of a segment between checkpoints. */
  readonly segment: number;
}

/** Where the lanes of a vector lie: bytes of floats behind the first place of the item. */
export interface Position {
  /** Bytes in a local. */
  readonly offset?: Local;
  /** Bytes known now. */
  readonly immediate: number;
  /** Whether the place behind which these lie is a multiple of a byte's eight bits. */
  readonly isAligned?: boolean;
}

interface Options {
  readonly code: FunctionCode;
  readonly analysis: Analysis;
  readonly places: ArgumentPlaces;
  /** Pushes a whole number that all lanes share. */
  pushScalar(node: Expression): void;
}

/**
 * Finds the elements of operands in memory. The address of a vector is known up to its place along the last
 * axis when the item begins, or, where an index changes with the step, the step.
 */
export class AddressEmitter {
  /** Pushes the place of the item's first lane along the last axis. */
  start: () => void;
  position: Position = { immediate: 0 };
  readonly #options: Options;
  readonly #pointers = new Map<string, Local>();
  readonly #strides: Strides;
  readonly #parts = new Map<string, Local>();
  readonly #bases = new Map<string, Local>();
  /** Accesses that the sequence at hand uses, and those whose addresses move on with its steps. */
  #used: ReadonlySet<string> = new Set();
  #moving: readonly Moving[] = [];

  constructor(options: Options) {
    this.#options = options;
    this.#strides = new Strides(options.code);
    this.start = () => options.code.whole(0);
  }

  /** Loads the addresses of operands and the attributes that are whole numbers, and computes all strides. */
  loadArguments(operands: Iterable<string>): void {
    const { code, places } = this.#options;
    const load = (place: number) => {
      code.get(PARAMETERS.args);
      code.access('i32.load', 4 * place);
      return code.keep('i32');
    };
    for (const [name, { place, isFloat }] of places.attributes) {
      if (!isFloat) this.#strides.setSize(name, load(place));
    }
    for (const operand of operands) {
      this.#pointers.set(operand, load(places.operands.get(operand) ?? 0));
      this.#strides.compute(operand, this.layout(operand));
    }
  }

  pushSize(axis: number | string): void {
    this.#strides.pushSize(axis);
  }

  pushWhole(attribute: string): void {
    this.#strides.pushWhole(attribute);
  }

  /** Makes bytes of four indices along an axis. */
  scaleVector(operand: string, axis: number): void {
    this.#strides.scaleVector(operand, axis);
  }

  /** Computes the addresses that a level determines. */
  enter(level: Level): void {
    const { analysis } = this.#options;
    if (level === LEVEL.item) {
      for (const access of analysis.accessesAt(LEVEL.step)) this.#computePart(access);
    }
    if (level !== LEVEL.step) {
      for (const access of analysis.accessesAt(level)) this.#computeBase(access, level);
      return;
    }
    const moving = new Set(this.#moving.map(({ access }) => keyOf(access)));
    for (const access of this.#accessesOfStep()) {
      if (!moving.has(keyOf(access))) this.#computeBase(access, level);
    }
  }

  /**
   * Computes the addresses that move on by the same bytes with each step, for the first one: a sum a step
   * is less than the product that it takes to compute one anew.
   */
  startSteps(sequence: Sequence): void {
    const { analysis } = this.#options;
    const loads = closureOf(sequenceRoots(sequence)).filter((node) => node.kind === 'load');
    this.#used = new Set([...loads, ...sequence.stores].map(keyOf));
    const moving = this.#accessesOfStep().map((access) => movingOf(access, sequence, analysis));
    this.#moving = moving.filter((one) => one !== undefined);
    for (const { access } of this.#moving) this.#computeBase(access, LEVEL.step);
  }

  /** Moves the addresses from one step to the next. */
  endStep(): void {
    const { code, pushScalar } = this.#options;
    for (const { access, axis, isBackward, step, last } of this.#moving) {
      const base = known(this.#bases, keyOf(access));
      code.get(base);
      this.#strides.push(access.operand, axis);
      if (last) {
        code.whole(0);
        pushScalar(step);
        pushScalar(last);
        code.op(isBackward ? 'i32.le_s' : 'i32.lt_s');
        code.op('select');
      }
      code.op(isBackward ? 'i32.sub' : 'i32.add');
      code.set(base);
    }
  }

  pushPointer(operand: string): void {
    this.#options.code.get(known(this.#pointers, operand));
  }

  /** Pushes what some of the indices make of an element's address. */
  pushPart({ operand, indices }: Access, isWanted: (index: Expression) => boolean): void {
    this.pushPointer(operand);
    for (const [axis, index] of indices.entries()) {
      if (isWanted(index)) this.#addIndex(operand, axis, index);
    }
  }

  /** Pushes the address of an element whose place all lanes share. */
  pushElement({ operand, indices }: Access): void {
    if (this.layout(operand).element === 'bits') throw unsupported(`a single bit of ${operand}`);
    this.pushPart({ operand, indices }, () => true);
  }

  /** Pushes the address of a vector's first element; gives the bytes to be added to it. */
  pushVector(access: Access): number {
    const { code } = this.#options;
    const { offset, immediate } = this.position;
    code.get(known(this.#bases, keyOf(access)));
    if (offset !== undefined) {
      code.get(offset);
      code.op('i32.add');
    }
    return immediate;
  }

  /** Pushes the address of the word with the first lane's bit. */
  pushWord(access: Access): void {
    const { code } = this.#options;
    const { offset } = this.position;
    code.get(known(this.#bases, keyOf(access)));
    // Without an offset all lanes of the item lie in one word.
    if (offset === undefined) return;
    code.get(offset);
    code.whole(7);
    code.op('i32.shr_u');
    code.whole(2);
    code.op('i32.shl');
    code.op('i32.add');
  }

  /** Pushes the address of the byte behind which an aligned vector's bits lie; gives the bytes to be added to it. */
  pushByte(access: Access): number {
    const { code } = this.#options;
    const { offset, immediate } = this.position;
    code.get(known(this.#bases, keyOf(access)));
    if (offset !== undefined) {
      code.get(offset);
      code.whole(5);
      code.op('i32.shr_u');
      code.op('i32.add');
    }
    return immediate >> 5;
  }

  /** Pushes the place of the first lane along the last axis. */
  pushPlace(): void {
    const { code } = this.#options;
    const { offset, immediate } = this.position;
    this.start();
    if (offset !== undefined) {
      code.get(offset);
      code.whole(2);
      code.op('i32.shr_u');
      code.op('i32.add');
    }
    if (immediate === 0) return;
    code.whole(immediate / 4);
    code.op('i32.add');
  }

  isSame(a: Access, b: Access): boolean {
    return keyOf(a) === keyOf(b);
  }

  layout(operand: string): Layout {
    const layout = this.#options.analysis.body.layouts[operand];
    if (layout) return layout;
    throw new Error(`operand ${operand} has no layout`);
  }

  #addIndex(operand: string, axis: number, index: Expression): void {
    const { code, pushScalar } = this.#options;
    if (index.kind === 'constant' && index.value === 0) return;
    pushScalar(index);
    this.#strides.scale(operand, axis);
    code.op('i32.add');
  }

  /** Accesses whose addresses change with the steps of the sequence at hand, each once: it may be read and written. */
  #accessesOfStep(): readonly Access[] {
    const all = this.#options.analysis.accessesAt(LEVEL.step);
    const each = new Map(all.map((access) => [keyOf(access), access]));
    return [...each].flatMap(([key, access]) => (this.#used.has(key) ? [access] : []));
  }

  #computePart(access: Access): void {
    const { code, analysis } = this.#options;
    code.get(known(this.#pointers, access.operand));
    this.#addPlaces(access, (index) => analysis.levelOf(index) !== LEVEL.step);
    this.#parts.set(keyOf(access), code.keep('i32'));
  }

  #computeBase(access: Access, level: Level): void {
    const { code, analysis } = this.#options;
    if (level === LEVEL.step) {
      code.get(known(this.#parts, keyOf(access)));
      this.#addPlaces(access, (index) => analysis.levelOf(index) === LEVEL.step);
    } else {
      code.get(known(this.#pointers, access.operand));
      this.#addPlaces(access, () => true);
    }
    this.#bases.set(keyOf(access), code.keep('i32'));
  }

  /** Adds the bytes of some indices to the address on the stack. */
  #addPlaces({ operand, indices }: Access, isWanted: (index: Expression) => boolean): void {
    const { analysis } = this.#options;
    const last = indices.length - 1;
    for (const [axis, index] of indices.entries()) {
      if (!isWanted(index)) continue;
      if (analysis.levelOf(index) < LEVEL.vector) this.#addIndex(operand, axis, index);
      else if (axis < last) throw unsupported(`${operand} is read across the last axis`);
      else this.#addAlong(operand, index);
    }
  }

  /** Adds the bytes up to the first lane of the item, along the last axis. */
  #addAlong(operand: string, index: Expression): void {
    const { code, analysis, pushScalar } = this.#options;
    const isInner = (node: Expression | undefined) =>
      node?.kind === 'coordinate' && node.name === analysis.inner;
    const isBits = this.layout(operand).element === 'bits';
    this.start();
    if (index.kind === 'apply') {
      const [a, b] = index.args;
      const { operator } = index;
      const isShift = operator === 'add' || operator === 'sub';
      if (!isShift || !isInner(a) || !b || isBits) {
        throw unsupported(`${operand} is read at places that are not side by side`);
      }
      pushScalar(b);
      code.op(`i32.${operator}`);
    } else if (!isInner(index)) {
      throw unsupported(`${operand} is read at places that are not side by side`);
    }
    if (isBits) {
      code.whole(5);
      code.op('i32.shr_u');
    }
    code.whole(2);
    code.op('i32.shl');
    code.op('i32.add');
  }
}
