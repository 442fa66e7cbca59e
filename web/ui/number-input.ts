/** Values that a number field accepts. */
export interface NumberRule {
  readonly kind: 'integer' | 'decimal';
  readonly min: number;
  readonly max: number;
}

const WRITTEN: Readonly<Record<NumberRule['kind'], RegExp>> = {
  integer: /^[+-]?\d+$/,
  decimal: /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i,
};

/**
 * The number that was typed, or undefined where it is none the rule allows. Full-width digits, as a
 * Japanese input method gives them, count as digits.
 */
export function parseNumber(typed: string, rule: NumberRule): number | undefined {
  const text = typed.normalize('NFKC').replace('−', '-').trim();
  if (!WRITTEN[rule.kind].test(text)) return undefined;
  const value = Number(text);
  return value >= rule.min && value <= rule.max ? value : undefined;
}

/** `value` one step on, kept within the rule and free of the dust of binary fractions (0.1 + 0.2). */
export function stepNumber(value: number, step: number, rule: NumberRule): number {
  const next = Number((value + step).toPrecision(12));
  return Math.min(rule.max, Math.max(rule.min, next));
}
