import {
  type Apply,
  type Constant,
  type Expression,
  type Operator,
  partsOf,
} from '../../../kernel-language/expression.ts';
import { type FunctionCode, type Local, PARAMETERS } from './function-code.ts';
import { emitWave } from './angles.ts';
import { AddressEmitter, type ArgumentPlaces, type Position } from './addresses.ts';
import { type Analysis, LEVEL, type Level } from '../../../kernel-language/levels.ts';
import type { Assumed, Emitter } from './emitter.ts';
import { emitConversion, emitTruth } from './conversions.ts';
import { emitLoad } from './loads.ts';
import { maskOf, scalarOp, vectorOp } from './operations.ts';
import { emitSelect, emitShortened } from './shortened.ts';
import { emitDraws } from './words.ts';

interface EmitterOptions {
  readonly code: FunctionCode;
  readonly analysis: Analysis;
  readonly places: ArgumentPlaces;
  readonly isRelaxed: boolean;
}

/**
 * Turns expressions into instructions. A value is a vector of four lanes, or a plain whole number where it
 * is one that all lanes share; floats are always vectors.
 */
export class ValueEmitter implements Emitter {
  readonly code: FunctionCode;
  readonly analysis: Analysis;
  readonly addresses: AddressEmitter;
  readonly #places: ArgumentPlaces;
  readonly isRelaxed: boolean;
  readonly #locals = new Map<Expression, Local>();
  /** Values of the vector in work; forgotten with the next. */
  #vector = new Map<Expression, Local>();
  /** A condition that is known of the vector in work. */
  assumed: Assumed | undefined;

  constructor({ code, analysis, places, isRelaxed }: EmitterOptions) {
    this.code = code;
    this.analysis = analysis;
    this.#places = places;
    const pushScalar = (node: Expression) => this.pushScalar(node);
    this.addresses = new AddressEmitter({ code, analysis, places, pushScalar });
    this.isRelaxed = isRelaxed;
  }

  /** Binds a node to a local that holds it. */
  bind(node: Expression, local: Local): void {
    this.#locals.set(node, local);
  }

  /** Starts another vector. */
  moveTo(position: Position): void {
    this.addresses.position = position;
    this.#vector = new Map();
  }

  /** Emits what is computed where a condition is known to hold, or not to. */
  assuming(condition: Expression, isTrue: boolean, emit: () => void): void {
    this.assumed = { condition, isTrue };
    emit();
    this.assumed = undefined;
  }

  /** Emits what may not run: values that it computes are not known behind it. */
  apart(emit: () => void): void {
    const before = new Map(this.#vector);
    emit();
    this.#vector = before;
  }

  /** Makes a value of the vector in work known. */
  hold(node: Expression, local: Local): void {
    this.#vector.set(node, local);
  }

  /**
   * Computes what does not change within a round of a level: of the values that need so many sums or means, all or
   * those that are `wanted`.
   */
  enter(level: Level, sums = 0, wanted?: ReadonlySet<Expression>): void {
    const { code, analysis } = this;
    for (const node of analysis.valuesAt(level)) {
      if (wanted && !wanted.has(node)) continue;
      if (analysis.sumsBefore(node) !== sums || this.#locals.has(node)) continue;
      this.push(node);
      this.#locals.set(node, code.keep(this.isScalar(node) ? 'i32' : 'v128'));
    }
    if (level === LEVEL.call || sums > 0) return;
    this.addresses.enter(level);
  }

  /** Forgets the values of a level, which differ in its next round. */
  leave(level: Level): void {
    for (const node of this.#locals.keys()) {
      if (this.analysis.levelOf(node) === level && node.kind !== 'coordinate')
        this.#locals.delete(node);
    }
  }

  isScalar(node: Expression): boolean {
    if (node.type === 'f32' || this.analysis.levelOf(node) === LEVEL.vector) return false;
    if (node.kind !== 'apply' || node.operator === 'convert') return true;
    if (VECTORS_ONLY.has(node.operator)) return false;
    return node.args.every((arg) => this.isScalar(arg));
  }

  /** Pushes the value: a whole number where it is scalar, else a vector. */
  push(node: Expression): void {
    const { code } = this;
    const local = this.#locals.get(node) ?? this.#vector.get(node);
    if (local !== undefined) {
      code.get(local);
      return;
    }
    this.#compute(node);
    const isVector = this.analysis.levelOf(node) === LEVEL.vector;
    if (!isVector || node.kind === 'constant') return;
    const kept = code.local('v128');
    code.tee(kept);
    this.#vector.set(node, kept);
  }

  pushVector(node: Expression): void {
    const { code } = this;
    this.push(node);
    if (!this.isScalar(node) || node.kind === 'constant') return;
    if (node.type === 'bool') {
      // A mask: all bits where it is true.
      const truth = code.keep('i32');
      code.whole(0);
      code.get(truth);
      code.op('i32.sub');
    }
    code.op('i32x4.splat');
  }

  /** Pushes a number that all lanes share. */
  pushScalar(node: Expression): void {
    if (node.kind === 'constant') {
      this.code.whole(node.value);
      return;
    }
    this.push(node);
    if (!this.isScalar(node)) this.code.lane('i32', 0);
  }

  /** Pushes a condition that all lanes share as a number. */
  pushCondition(node: Expression): void {
    this.push(node);
    if (!this.isScalar(node)) this.code.op('v128.any_true');
  }

  /** Pushes what may be a spike or a condition as a mask. */
  pushMask(node: Expression): void {
    this.pushVector(maskOf(node) ?? node);
  }

  #compute(node: Expression): void {
    const place = this.#places.settled.get(node);
    if (place !== undefined) {
      this.#argument(place);
      return;
    }
    switch (node.kind) {
      case 'constant':
        this.#constant(node);
        return;
      case 'attribute':
        this.#attribute(node.name);
        return;
      case 'coordinate':
        this.#coordinate(node.name);
        return;
      case 'load':
        emitLoad(this, node);
        return;
      case 'apply':
        this.#apply(node);
        return;
      default:
        throw new Error(`a ${node.kind} is not known here`);
    }
  }

  /** A float among the arguments. */
  #argument(place: number): void {
    this.code.get(PARAMETERS.args);
    this.code.access('v128.load32_splat', 4 * place);
  }

  #constant({ type, value }: Constant): void {
    if (type === 'f32') this.code.floats(value);
    else this.code.wholes(value, value, value, value);
  }

  #attribute(name: string): void {
    const argument = this.#places.attributes.get(name);
    if (argument?.isFloat) this.#argument(argument.place);
    else this.addresses.pushWhole(name);
  }

  /** The places of the lanes along the last axis; those along the others are bound. */
  #coordinate(name: string): void {
    if (name !== this.analysis.inner) throw new Error(`${name} is not known here`);
    this.addresses.pushPlace();
    this.code.op('i32x4.splat');
    this.code.wholes(0, 1, 2, 3);
    this.code.op('i32x4.add');
  }

  #apply(node: Apply): void {
    const [a] = node.args as [Expression];
    switch (node.operator) {
      case 'select':
        emitSelect(this, node);
        return;
      case 'convert':
        emitConversion(this, node, a);
        return;
      case 'detach':
        this.pushVector(a);
        return;
      case 'draw':
        this.code.get(this.#draw(node)[0]);
        return;
      case 'sin':
      case 'cos':
        this.#wave(node, a);
        return;
      case 'fires':
        emitTruth(this.code, () => this.pushVector(a));
        return;
      default:
        if (this.isScalar(node)) this.#scalar(node);
        else if (!emitShortened(this, node)) this.#vectorwise(node);
    }
  }

  /** Sine and cosine of an angle take most of their instructions together: the other is known behind the one. */
  #wave(node: Apply, angle: Expression): void {
    const { code, analysis } = this;
    const isOther = (one: Expression): one is Apply =>
      one.kind === 'apply' && (one.operator === 'sin' || one.operator === 'cos') && one !== node;
    const other = analysis.all.find((one) => isOther(one) && one.args[0] === angle);
    this.pushVector(angle);
    const wave = emitWave(code, this.isRelaxed);
    if (other && analysis.levelOf(other) === LEVEL.vector && !this.#vector.has(other)) {
      wave[node.operator === 'sin' ? 'cos' : 'sin']();
      this.#vector.set(other, code.keep('v128'));
    }
    wave[node.operator === 'sin' ? 'sin' : 'cos']();
  }

  #scalar({ operator, args }: Apply): void {
    for (const arg of args) this.pushScalar(arg);
    scalarOp(this.code, operator, args[0]?.type ?? 'i32');
  }

  #vectorwise({ operator, args }: Apply): void {
    const [a, b] = args as [Expression, Expression];
    if (operator === 'shl' || operator === 'shr') {
      this.pushVector(a);
      this.pushScalar(b);
      const right = a.type === 'i32' ? 'i32x4.shr_s' : 'i32x4.shr_u';
      this.code.op(operator === 'shl' ? 'i32x4.shl' : right);
      return;
    }
    for (const arg of args) this.pushVector(arg);
    vectorOp(this.code, operator, a.type, this.isRelaxed);
  }

  /**
   * Draws the random words of four vectors side by side, the first at `position`. What it gives makes those of
   * one known, once the emitter has moved there.
   */
  drawAhead(position: Position): (copy: number) => void {
    this.moveTo(position);
    const drawn = this.analysis.all
      .filter((node) => node.kind === 'apply' && node.operator === 'draw')
      .map((node) => [node, this.#draw(node)] as const);
    return (copy) => {
      for (const [node, words] of drawn) this.#vector.set(node, words[copy % words.length] ?? 0);
    };
  }

  get hasDraws(): boolean {
    return this.analysis.all.some((node) => node.kind === 'apply' && node.operator === 'draw');
  }

  #draw(node: Expression): readonly [Local, Local, Local, Local] {
    for (const arg of partsOf(node)) this.pushScalar(arg);
    return emitDraws(this.code);
  }
}

/** Operators on whole numbers that have no instruction for a single one. */
const VECTORS_ONLY: ReadonlySet<Operator> = new Set(['mulHigh', 'ones', 'draw'] as const);
