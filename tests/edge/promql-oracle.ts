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
export type Where = readonly (readonly [label: string, op: string, value: string])[];

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

export const NAME = '__name__';

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

/** Evaluates a tree at one time: every rule of PromQL for one moment, in its plainest form. */
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

/** Stands in for the window functions of the store: a different number for each function. */
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

export const isComparison = (op: string) => /^[<>=!]/.test(op);

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
