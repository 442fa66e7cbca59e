import * as fc from 'fast-check';
import { isComparison, NAME, type StoredSeries, type Tree } from './promql-oracle.ts';

type Of<T extends Tree['t']> = Extract<Tree, { readonly t: T }>;

/** A tree as a query, with more parentheses than it needs. */
export const textOf = (tree: Tree): string => (WRITERS[tree.t] as (tree: Tree) => string)(tree);

const WRITERS: { readonly [T in Tree['t']]: (tree: Of<T>) => string } = {
  num: ({ v }) => String(v),
  sel: ({ name, where, offset, fn }) => {
    const written = where.map(([label, op, value]) => `${label}${op}"${value}"`).join(', ');
    const ahead = offset === 0 ? '' : ` offset ${offset}m`;
    const braces = written === '' ? '' : `{${written}}`;
    return fn ? `${fn}(${name}${braces}[5m]${ahead})` : `${name}${braces}${ahead}`;
  },
  fn: ({ fn, of }) => `${fn}(${textOf(of)})`,
  agg: ({ fn, k, without, names, of }) => {
    const number = k === undefined ? '' : `${k}, `;
    return `${fn} ${without ? 'without' : 'by'} (${names.join(', ')}) (${number}${textOf(of)})`;
  },
  bin: ({ op, bool, on, names, many, l, r }) => {
    const named = on === undefined ? '' : ` ${on ? 'on' : 'ignoring'} (${names.join(', ')})`;
    const side = many ? ` group_${many} ()` : '';
    return `(${textOf(l)}) ${op}${bool ? ' bool' : ''}${named}${side} (${textOf(r)})`;
  },
};

const LABELS = ['x', 'y'] as const;
const anyNames = fc.uniqueArray(fc.constantFrom(...LABELS), { maxLength: 2 });
const anyWhere = fc.array(
  fc.tuple(
    fc.constantFrom(...LABELS),
    fc.constantFrom('=', '!=', '=~', '!~'),
    fc.constantFrom('', '1', '2', '1|2', '.+'),
  ),
  { maxLength: 2 },
);
const anySelector = fc.record({
  t: fc.constant('sel' as const),
  name: fc.constantFrom('a', 'b'),
  where: anyWhere,
  offset: fc.constantFrom(0, 0, 0, 1, 2),
});
const anyRange = fc.record({
  t: fc.constant('sel' as const),
  name: fc.constantFrom('a', 'b'),
  where: anyWhere,
  offset: fc.constantFrom(0, 1),
  fn: fc.constantFrom('rate', 'increase', 'avg_over_time', 'count_over_time'),
});
const anyNumber = fc.record({ t: fc.constant('num' as const), v: fc.constantFrom(0, 1, 2, 3.5) });
const ARITHMETIC = ['+', '-', '*', '/'] as const;
const COMPARISONS = ['>', '<=', '==', '!='] as const;

/** Trees that give a value for each series. */
export const anyTree: fc.Arbitrary<Tree> = fc.letrec<{ vector: Tree }>((tie) => ({
  vector: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    anySelector,
    anyRange,
    fc.record({
      t: fc.constant('fn' as const),
      fn: fc.constantFrom('abs', '-'),
      of: tie('vector'),
    }),
    fc.record({ t: fc.constant('fn' as const), fn: fc.constant('absent'), of: anySelector }),
    fc.record({
      t: fc.constant('agg' as const),
      fn: fc.constantFrom('sum', 'avg', 'min', 'max', 'count', 'group'),
      without: fc.boolean(),
      names: anyNames,
      of: tie('vector'),
    }),
    fc.record({
      t: fc.constant('agg' as const),
      fn: fc.constantFrom('topk', 'bottomk'),
      k: fc.nat(3),
      without: fc.boolean(),
      names: anyNames,
      of: anySelector,
    }),
    withNumber(tie('vector')),
    ofTwoVectors(tie('vector')),
  ),
})).vector;

function withNumber(vector: fc.Arbitrary<Tree>): fc.Arbitrary<Tree> {
  return fc
    .record({
      op: fc.constantFrom(...ARITHMETIC, ...COMPARISONS),
      bool: fc.boolean(),
      vector,
      number: anyNumber,
      isLeft: fc.boolean(),
    })
    .map(({ op, bool, vector: one, number, isLeft }) => {
      const [l, r] = isLeft ? [number, one] : [one, number];
      return { t: 'bin', op, bool: bool && isComparison(op), names: [], l, r };
    });
}

function ofTwoVectors(vector: fc.Arbitrary<Tree>): fc.Arbitrary<Tree> {
  return fc
    .record({
      op: fc.constantFrom(...ARITHMETIC, ...COMPARISONS, 'and', 'or', 'unless'),
      bool: fc.boolean(),
      on: fc.option(fc.boolean(), { nil: undefined }),
      names: anyNames,
      many: fc.option(fc.constantFrom('left' as const, 'right' as const), { nil: undefined }),
      l: vector,
      r: vector,
    })
    .map(({ op, bool, on, names, many, l, r }) => {
      const isSet = /^[a-z]/.test(op);
      return {
        ...{
          t: 'bin',
          op,
          bool: bool && isComparison(op),
          names: on === undefined ? [] : names,
          l,
          r,
        },
        ...(on !== undefined && { on }),
        ...(on !== undefined && many && !isSet && { many }),
      };
    });
}

/** Different values, as of equal ones topk may choose any. */
export const anyStored: fc.Arbitrary<StoredSeries[]> = fc
  .uniqueArray(
    fc.record({
      name: fc.constantFrom('a', 'b'),
      x: fc.constantFrom('', '1', '2'),
      y: fc.constantFrom('', '1', '2'),
      gaps: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
    }),
    { maxLength: 7, selector: ({ name, x, y }) => `${name} ${x} ${y}` },
  )
  .map((all) =>
    all.map(({ name, x, y, gaps }, s) => ({
      labels: { [NAME]: name, ...(x && { x }), ...(y && { y }) },
      values: gaps.map((gap, i) =>
        gap && i % 2 === 0 ? null : ((s * 7 + i * 3) % 11) - 4 + s / 16,
      ),
    })),
  );
