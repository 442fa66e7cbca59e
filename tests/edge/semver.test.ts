import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareVersions, precedenceKey, Version } from '../../edge/contract/semver.ts';

const number = fc
  .oneof(fc.nat(30), fc.nat(9999), fc.bigInt({ min: 0n, max: 10n ** 25n }))
  .map(String);
const identifier = fc.oneof(
  number,
  fc.stringMatching(/^[0-9A-Za-z-]{0,6}[A-Za-z-]$/),
  fc.constantFrom('alpha', 'rc', 'a', 'A', '-', 'a-', 'a0', 'a1b', 'ab', 'alpha-1'),
);
const identifiers = fc.array(identifier, { minLength: 1, maxLength: 4 });
const version = fc
  .record({
    core: fc.tuple(number, number, number),
    pre: fc.option(identifiers, { nil: undefined }),
  })
  .map(({ core, pre }) => core.join('.') + (pre ? `-${pre.join('.')}` : ''));

/** Clause 11 of SemVer 2.0.0, word for word and without a key. */
function compareByClause11(a: string, b: string): number {
  const [coreA = '', preA] = split(a);
  const [coreB = '', preB] = split(b);
  for (const [i, part] of coreA.split('.').entries()) {
    const difference = BigInt(part) - BigInt(coreB.split('.')[i]!);
    if (difference !== 0n) return difference < 0n ? -1 : 1;
  }
  if (preA === undefined || preB === undefined) {
    return Number(preA === undefined) - Number(preB === undefined);
  }
  return comparePrereleases(preA.split('.'), preB.split('.'));
}

function split(text: string): [string, string | undefined] {
  const dash = text.indexOf('-');
  return dash < 0 ? [text, undefined] : [text.slice(0, dash), text.slice(dash + 1)];
}

function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const [x, y] = [a[i]!, b[i]!];
    if (x === y) continue;
    const [xIsNumber, yIsNumber] = [/^\d+$/.test(x), /^\d+$/.test(y)];
    if (xIsNumber && yIsNumber) return BigInt(x) < BigInt(y) ? -1 : 1;
    if (xIsNumber !== yIsNumber) return xIsNumber ? -1 : 1;
    return x < y ? -1 : 1;
  }
  return Math.sign(a.length - b.length);
}

describe('the order of versions', () => {
  it('is that of the examples of SemVer 2.0.0, clause 11', () => {
    const examples = [
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0',
      '2.0.0',
      '2.1.0',
      '2.1.1',
    ];

    expect(examples.toReversed().toSorted(compareVersions)).toEqual(examples);
  });

  it('is that of clause 11 for any two versions', () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        const expected = compareByClause11(a, b);
        expect(Math.sign(compareVersions(a, b))).toBe(expected);
      }),
      { seed: 11, numRuns: 2000 },
    );
  });

  it('is that of clause 11 for pre-releases of one version that have much in common', () => {
    const word = fc.constantFrom('a', 'a-', 'a0', 'ab', 'b', '-', '0', '1', '10', '2');
    const related = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('.'));
    fc.assert(
      fc.property(related, related, (a, b) => {
        const [left, right] = [`1.0.0-${a}`, `1.0.0-${b}`];
        expect(Math.sign(compareVersions(left, right))).toBe(compareByClause11(left, right));
      }),
      { seed: 12, numRuns: 2000 },
    );
  });

  it('gives versions that differ in build metadata only one precedence, and still one order', () => {
    expect(precedenceKey('1.0.0+a')).toBe(precedenceKey('1.0.0+b'));
    expect(compareVersions('1.0.0+a', '1.0.0+b')).toBe(-1);
    expect(compareVersions('1.0.0+b', '1.0.0+a')).toBe(1);
  });
});

describe('a version', () => {
  it.each([
    '0.0.0',
    '1.2.3',
    '1.0.0-0',
    '1.0.0-alpha.1',
    '1.0.0--',
    '1.0.0+20130313',
    '1.0.0-rc.1+5.a',
  ])('may be %s', (text) => {
    expect(Version.safeParse(text).success).toBe(true);
  });

  it.each([
    '1',
    '1.0',
    'v1.0.0',
    '01.0.0',
    '1.0.0-01',
    '1.0.0-',
    '1.0.0+',
    '1.0.0-a..b',
    ' 1.0.0',
    '1.0.0\n',
  ])('may not be %j', (text) => {
    expect(Version.safeParse(text).success).toBe(false);
  });

  it('is at most 128 characters long', () => {
    expect(Version.safeParse(`1.0.0-${'a'.repeat(122)}`).success).toBe(true);
    expect(Version.safeParse(`1.0.0-${'a'.repeat(123)}`).success).toBe(false);
  });
});
