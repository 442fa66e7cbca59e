import { describe, expect, it } from 'vitest';
import { fc } from '../seeded.ts';
import { parseNumber, stepNumber, type NumberRule } from '../../../web/ui/number-input.ts';

const integer: NumberRule = { kind: 'integer', min: -5, max: 1000 };
const decimal: NumberRule = { kind: 'decimal', min: 0, max: 1 };

describe('parseNumber', () => {
  it.each([
    ['12', integer, 12],
    [' -5 ', integer, -5],
    // Full-width, as a Japanese input method gives them.
    ['１２８', integer, 128],
    ['−３', integer, -3],
    ['0.5', decimal, 0.5],
    ['.5', decimal, 0.5],
    ['1e-4', decimal, 0.0001],
    ['０．０１', decimal, 0.01],
  ])('reads %j', (typed, rule, expected) => {
    expect(parseNumber(typed, rule)).toBe(expected);
  });

  it.each([
    ['', integer],
    ['1.5', integer],
    ['-6', integer],
    ['1001', integer],
    ['0x10', integer],
    ['1,000', integer],
    ['1.1', decimal],
    ['NaN', decimal],
    ['1e', decimal],
  ])('does not take %j', (typed, rule) => {
    expect(parseNumber(typed, rule)).toBeUndefined();
  });

  it('never gives a number outside of the rule, whatever is typed', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double().map(String)), (typed) => {
        const value = parseNumber(typed, decimal);

        expect(value === undefined || (value >= 0 && value <= 1)).toBe(true);
      }),
    );
  });
});

describe('stepNumber', () => {
  it('adds without the dust of binary fractions, and stays within the rule', () => {
    expect(stepNumber(0.1, 0.2, decimal)).toBe(0.3);
    expect(stepNumber(0.95, 0.1, decimal)).toBe(1);
    expect(stepNumber(-5, -1, integer)).toBe(-5);
  });
});
