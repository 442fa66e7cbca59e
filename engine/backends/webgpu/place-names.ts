import { wordsPerRow } from '../../graph/tensor.ts';
import type { Layout } from '../../kernel-language/body.ts';
import type { Expression } from '../../kernel-language/expression.ts';
import type { Access } from '../../kernel-language/levels.ts';
import { WIDTH } from './wide.ts';

/** The name of the place of a vector along the last axis. */
export const VECTOR = 'vector';

/** The printer of the shader, as far as places need it. */
interface Site {
  layoutOf(operand: string): Layout;
  /** Whether an operand is bound as vectors. */
  isWide(operand: string): boolean;
  size(axis: number | string): number;
  name(node: Expression): string;
}

/** Names for the places of elements, so that each is computed once: not every device's compiler sees that they are alike. */
export class PlaceNames {
  readonly #site: Site;
  /** Names by how a place is computed. */
  readonly #names = new Map<string, string>();
  #known = new Set<string>();

  constructor(site: Site) {
    this.#site = site;
  }

  /** Lines whose names mean nothing behind them. */
  scoped(print: () => string[]): string[] {
    const before = this.#known;
    this.#known = new Set(before);
    const printed = print();
    this.#known = before;
    return printed;
  }

  /** The line that names the place of an element, where it has no name yet. */
  lines(access: Access): string[] {
    const text = this.#textOf(access);
    return /^\w+$/.test(text) ? [] : this.#line(text);
  }

  /** The line that names the place where the row of an element begins. */
  linesOfRow(access: Access): string[] {
    return this.#line(this.#rowOf(access));
  }

  /** The place of an element by its name; of its first axes alone with fewer indices. */
  name(access: Access): string {
    const text = this.#textOf(access);
    return this.#nameOf(text) ?? text;
  }

  #nameOf(text: string): string | undefined {
    return this.#known.has(text) ? this.#names.get(text) : undefined;
  }

  #line(text: string): string[] {
    if (text === '' || this.#known.has(text)) return [];
    const name = this.#names.get(text) ?? `place${this.#names.size}`;
    this.#names.set(text, name);
    this.#known.add(text);
    return [`let ${name} = ${text};`];
  }

  /** In bits where these are packed, in vectors where these are bound. */
  #textOf({ operand, indices }: Access): string {
    const { layoutOf, isWide, name } = this.#site;
    const last = indices.at(-1);
    const isVector = indices.length === layoutOf(operand).axes.length && isWide(operand);
    const place = isVector ? VECTOR : last ? name(last) : '0';
    const row = this.#rowOf({ operand, indices });
    return row === '' ? place : `${this.#nameOf(row) ?? row} + ${place}`;
  }

  /** Empty where there is but one row. */
  #rowOf({ operand, indices }: Access): string {
    const { layoutOf, isWide, size, name } = this.#site;
    const { axes, element } = layoutOf(operand);
    const [first, ...others] = indices;
    if (!first || others.length === 0) return '';
    const lengthOf = (axis: number) => {
      const given = size(axes[axis] ?? 1);
      if (axis < axes.length - 1) return given;
      if (element === 'bits') return 32 * wordsPerRow(given);
      return isWide(operand) ? given / WIDTH : given;
    };
    return others.reduce((outer, index, at) => {
      const row = `(${outer}) * ${lengthOf(at + 1)}`;
      return at === others.length - 1 ? row : `${row} + ${name(index)}`;
    }, name(first));
  }
}
