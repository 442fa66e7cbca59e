import type { Expression, ExpressionPool, ValueType } from './expression.ts';

/** Type of the elements of an operand in memory; `bits` are packed, 32 a word, rows padded to words. */
export type ElementType = 'f32' | 'i32' | 'u32' | 'bits';

/** Elements of an operand, and its axes from the outermost: numbers or names of attributes. */
export interface Layout {
  readonly element: ElementType;
  readonly axes: readonly (number | string)[];
}

/** An axis of the domain: the name of the coordinate along it, and the attribute that says how long it is. */
export interface Axis {
  readonly coordinate: string;
  readonly size: string;
}

/** A value for an element of an operand, stored where all values of the step have been computed. */
export interface Store {
  readonly operand: string;
  readonly indices: readonly Expression[];
  readonly value: Expression;
}

/** A number that a step hands to the next. */
export interface StateVariable {
  readonly name: string;
  readonly type: ValueType;
  /** Before the first step. */
  readonly initial: Expression;
  /** After the step. */
  readonly next: Expression;
}

/** The steps that are taken one after the other. */
export interface Sequence {
  readonly coordinate: string;
  readonly from: Expression;
  readonly to: Expression;
  /** From the last to the first. */
  readonly isBackward?: boolean;
  readonly states: readonly StateVariable[];
  /** Done in every step. */
  readonly stores: readonly Store[];
  /** Values of each step that a later sequence needs in the same step. */
  readonly trail: readonly Noted[];
}

interface Noted {
  readonly name: string;
  readonly value: Expression;
}

/**
 * The values that a kernel computes at each place of its domain: sequences of steps, one after the other, and then
 * stores. Without sequences, stores are all there is. The last axis is the one that vectors lie along.
 */
export interface Body {
  readonly pool: ExpressionPool;
  readonly domain: readonly Axis[];
  readonly layouts: Readonly<Record<string, Layout>>;
  readonly sequences: readonly Sequence[];
  readonly stores: readonly Store[];
  /**
   * Of a sequence that notes values down and one back: the first is run through for its states at the start
   * of each segment, and then again, segment by segment from the last, each followed by the way back.
   */
  readonly isCheckpointed?: boolean;
  /** Where a row ends for its sums, in places of the last axis; all of them where it is absent. */
  readonly until?: Expression;
}

/** Steps of a segment between checkpoints: about as many as there are segments. */
export function segmentLength(steps: number): number {
  return Math.max(1, Math.ceil(Math.sqrt(steps)));
}

/** A size is an attribute, a product `a * b`, or `a / b` rounded up; from the left where it is several. */
export function sizeOf(size: string, attribute: (name: string) => number): number {
  const value = (text = '') => (/^\d+$/.test(text) ? Number(text) : attribute(text));
  const [first, ...others] = size.split(/ ([*/]) /);
  let product = value(first);
  for (let at = 0; at < others.length; at += 2) {
    const factor = value(others[at + 1]);
    product = others[at] === '*' ? product * factor : Math.ceil(product / factor);
  }
  return product;
}
