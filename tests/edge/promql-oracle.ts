import * as fc from 'fast-check';

/** An expression as a tree, made here: neither our reader nor our evaluation knows it. */
export type Tree =
  | { readonly t: 'num'; readonly v: number }
  | {
      readonly t: 'sel';
      readonly name: string;
      readonly where: Where;
      readonly offset: number;
      readonly fn?: string;
    }
  | { readonly t: 'fn'; readonly fn: string; readonly of: Tree }
  | {
      readonly t: 'agg';
      readonly fn: string;
      readonly k?: number;
      readonly without: boolean;
      readonly names: readonly string[];
      readonly of: Tree;
    }
  | {
      readonly t: 'bin';
      readonly op: string;
      readonly bool: boolean;
      readonly on?: boolean;
      readonly names: readonly string[];
      readonly many?: 'left' | 'right';
      readonly l: Tree;
      readonly r: Tree;
    };
type Where = readonly (readonly [label: string, op: string, value: string])[];

/** A sample at one time. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly v: number;
}
export interface StoredSeries {
  readonly labels: Readonly<Record<string, string>>;
  /** By the number of the time. */
  readonly values: readonly (number | null)[];
}

const NAME = '__name__';

export function textOf(tree: Tree): string {
  switch (tree.t) {
    case 'num':
      return String(tree.v);
    case 'sel': {
      const where = tree.where.map(([label, op, value]) => `${label}${op}"${value}"`).join(', ');
      const offset = tree.offset === 0 ? '' : ` offset ${tree.offset}m`;
      const selector = `${tree.name}${where === '' ? '' : `{${where}}`}${tree.fn ? '[5m]' : ''}${offset}`;
      return tree.fn ? `${tree.fn}(${selector})` : selector;
    }
    case 'fn':
      return tree.fn === '-' ? `-(${textOf(tree.of)})` : `${tree.fn}(${textOf(tree.of)})`;
    case 'agg': {
      const k = tree.k === undefined ? '' : `${tree.k}, `;
      return `${tree.fn} ${tree.without ? 'without' : 'by'} (${tree.names.join(', ')}) (${k}${textOf(tree.of)})`;
    }
    default: {
      const named =
        tree.on === undefined ? '' : ` ${tree.on ? 'on' : 'ignoring'} (${tree.names.join(', ')})`;
      const many = tree.many ? ` group_${tree.many} ()` : '';
      return `(${textOf(tree.l)}) ${tree.op}${tree.bool ? ' bool' : ''}${named}${many} (${textOf(tree.r)})`;
    }
  }
}

const isSelected = (labels: Sample['labels'], where: Where) =>
  where.every(([label, op, value]) => {
    const own = labels[label] ?? '';
    const isEqual = op.includes('~') ? new RegExp(`^(?:${value})$`).test(own) : own === value;
    return op.startsWith('!') ? !isEqual : isEqual;
  });

const pick = (labels: Sample['labels'], wanted: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(labels).filter(([name]) => wanted(name)));
const idOf = (labels: Sample['labels']) => JSON.stringify(Object.entries(labels).toSorted());
const anonymous = (labels: Sample['labels']) => pick(labels, (name) => name !== NAME);

/** What a tree comes to at one time: every rule of PromQL for one moment, in its plainest form. */
export function answerAt(
  tree: Tree,
  stored: readonly StoredSeries[],
  at: number,
): number | Sample[] {
  switch (tree.t) {
    case 'num':
      return tree.v;
    case 'sel':
      return stored.flatMap(({ labels, values }) => {
        const v = values[at - tree.offset];
        if (labels[NAME] !== tree.name || !isSelected(labels, tree.where) || v == null) return [];
        return [
          { labels: tree.fn ? anonymous(labels) : labels, v: tree.fn ? windowed(tree.fn, v) : v },
        ];
      });
    case 'fn': {
      const of = answerAt(tree.of, stored, at);
      if (tree.fn === 'absent')
        return (of as Sample[]).length > 0 ? [] : [{ labels: sought(tree.of), v: 1 }];
      const one = (v: number) => (tree.fn === '-' ? -v : Math.abs(v));
      if (typeof of === 'number') return one(of);
      return of.map(({ labels, v }) => ({ labels: anonymous(labels), v: one(v) }));
    }
    case 'agg':
      return aggregated(tree, answerAt(tree.of, stored, at) as Sample[]);
    default:
      return joined(tree, answerAt(tree.l, stored, at), answerAt(tree.r, stored, at));
  }
}

/** What the store is asked for a window, here: something that is another number for each function. */
export const windowed = (fn: string, v: number): number => v * 10 + fn.length;

const sought = (tree: Tree) =>
  tree.t === 'sel'
    ? Object.fromEntries(
        tree.where
          .filter(
            ([label, op, value]) =>
              op === '=' && value !== '' && tree.where.filter(([l]) => l === label).length === 1,
          )
          .map(([label, , value]) => [label, value]),
      )
    : {};

function aggregated(
  { fn, k = 0, without, names }: Tree & { t: 'agg' },
  all: readonly Sample[],
): Sample[] {
  const labelsOf = ({ labels }: Sample) =>
    pick(anonymous(labels), (name) => names.includes(name) !== without);
  return [...Map.groupBy(all, (one) => idOf(labelsOf(one))).values()].flatMap((group) => {
    const vs = group.map(({ v }) => v);
    const total = vs.reduce((a, b) => a + b, 0);
    const sorted = group.toSorted((a, b) => a.v - b.v);
    if (fn === 'topk') return sorted.toReversed().slice(0, k);
    if (fn === 'bottomk') return sorted.slice(0, k);
    const v = {
      sum: total,
      avg: total / vs.length,
      min: Math.min(...vs),
      max: Math.max(...vs),
      count: vs.length,
      group: 1,
    }[fn];
    return [{ labels: labelsOf(group[0]!), v: v ?? NaN }];
  });
}

function compute(op: string, a: number, b: number): number | boolean {
  if (op === '+') return a + b;
  if (op === '-') return a - b;
  if (op === '*') return a * b;
  if (op === '/') return a / b;
  if (op === '>') return a > b;
  if (op === '<=') return a <= b;
  return op === '==' ? a === b : a !== b;
}

const isComparison = (op: string) => /^[<>=!]/.test(op);

function joined(
  tree: Tree & { t: 'bin' },
  l: number | Sample[],
  r: number | Sample[],
): number | Sample[] {
  const { op, bool } = tree;
  if (typeof l === 'number' && typeof r === 'number') return Number(compute(op, l, r));
  if (typeof l !== 'number' && typeof r !== 'number') return ofTwo(tree, l, r);
  const all = typeof l === 'number' ? (r as Sample[]) : l;
  return all.flatMap(({ labels, v }) => {
    const result = typeof l === 'number' ? compute(op, l, v) : compute(op, v, r as number);
    if (!isComparison(op)) return [{ labels: anonymous(labels), v: Number(result) }];
    if (bool) return [{ labels: anonymous(labels), v: Number(result) }];
    return result === true ? [{ labels, v }] : [];
  });
}

function ofTwo(tree: Tree & { t: 'bin' }, l: Sample[], r: Sample[]): Sample[] {
  const { op, bool, on = false, names, many } = tree;
  const keyOf = ({ labels }: Sample) =>
    idOf(pick(anonymous(labels), (name) => names.includes(name) === on));
  const has = (all: Sample[], one: Sample) => all.some((other) => keyOf(other) === keyOf(one));
  if (op === 'and') return l.filter((one) => has(r, one));
  if (op === 'unless') return l.filter((one) => !has(r, one));
  if (op === 'or') return [...l, ...r.filter((one) => !has(l, one))];
  const found = l.flatMap((a) =>
    r.filter((b) => keyOf(a) === keyOf(b)).map((b) => ({ a, b, key: keyOf(a) })),
  );
  const several = (side: (pair: (typeof found)[number]) => Sample) =>
    [...Map.groupBy(found, ({ key }) => key).values()].some(
      (pairs) => new Set(pairs.map(side)).size > 1,
    );
  if (many !== 'left' && several(({ a }) => a)) throw new SyntaxError('left');
  if (many !== 'right' && several(({ b }) => b)) throw new SyntaxError('right');
  const results = found.flatMap(({ a, b }) => {
    const result = compute(op, a.v, b.v);
    const isFilter = isComparison(op) && !bool;
    if (isFilter && result !== true) return [];
    const own = many === 'right' ? b : a;
    const kept = many
      ? own.labels
      : pick(own.labels, (name) => (name === NAME ? !on : names.includes(name) === on));
    return [{ labels: isFilter ? kept : anonymous(kept), v: isFilter ? a.v : Number(result) }];
  });
  if (new Set(results.map(({ labels }) => idOf(labels))).size < results.length)
    throw new SyntaxError('same');
  return results;
}

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
