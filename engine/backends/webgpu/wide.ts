import type { Body } from '../../kernel-language/body.ts';
import type { Expression, Operator } from '../../kernel-language/expression.ts';
import { type Access, type Analysis, LEVEL } from '../../kernel-language/levels.ts';
import { storesOf } from './target.ts';

/** Places that an invocation computes side by side. */
export const WIDTH = 4;

/** Operators that are written for one value alone. */
const NARROW: ReadonlySet<Operator> = new Set(['draw', 'mulHigh', 'sin', 'cos'] as const);

/** The operands that are read or written along the last axis. */
export function operandsAlong(analysis: Analysis): ReadonlySet<string> {
  const along = accessesIn(analysis).filter((access) => analysis.isAlong(access));
  return new Set(along.map(({ operand }) => operand));
}

/**
 * Whether a value along the last axis can be a vector of four places: operands lie along it in whole
 * vectors, and nothing else depends on the place.
 */
export function canBeWide(analysis: Analysis, sizeOf: (axis: number | string) => number): boolean {
  const { body, inner, all } = analysis;
  const accesses = accessesIn(analysis);
  const along = operandsAlong(analysis);
  const fits = ({ operand, indices }: Access) => {
    const last = indices.at(-1);
    const isWhole = last?.kind === 'coordinate' && last.name === inner;
    const others = isWhole ? indices.slice(0, -1) : indices;
    const isFixed = others.every((index) => analysis.levelOf(index) < LEVEL.vector);
    return isFixed && isWhole === along.has(operand) && isDivisible(body, operand, isWhole, sizeOf);
  };
  const hasNarrow = all.some(
    (node) => node.kind === 'reduction' || (node.kind === 'apply' && NARROW.has(node.operator)),
  );
  const isUniform = (value: Expression) => analysis.levelOf(value) < LEVEL.vector;
  const size = body.domain.at(-1)?.size;
  return (
    size !== undefined &&
    sizeOf(size) % WIDTH === 0 &&
    !hasNarrow &&
    !Object.values(body.layouts).some(({ element }) => element === 'bits') &&
    accesses.every(fits) &&
    storesOf(body).every(({ operand, value }) => along.has(operand) || isUniform(value))
  );
}

function isDivisible(
  { layouts }: Body,
  operand: string,
  isWhole: boolean,
  sizeOf: (axis: number | string) => number,
): boolean {
  return !isWhole || sizeOf(layouts[operand]?.axes.at(-1) ?? 1) % WIDTH === 0;
}

function accessesIn({ all, body }: Analysis): readonly Access[] {
  return [...all.filter((node) => node.kind === 'load'), ...storesOf(body)];
}
