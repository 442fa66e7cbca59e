import { groupBy } from '../group-by.ts';
import type { Body, Sequence, Store } from './body.ts';
import { closureOf, type Expression, isJoined, partsOf } from './expression.ts';
import { isSettled } from './operators.ts';

/**
 * How often a value changes: once a call, an item, a step, a vector. What changes less often than the
 * innermost loop runs is computed outside of it.
 */
export const LEVEL = { call: 0, item: 1, step: 2, vector: 3 } as const;
export type Level = (typeof LEVEL)[keyof typeof LEVEL];

/** An element that a vector's lanes lie along: an operand, and the indices of its first lane. */
export interface Access {
  readonly operand: string;
  readonly indices: readonly Expression[];
}

/** Everything that a body computes, and how often. */
export interface Analysis {
  readonly body: Body;
  /** The coordinate that vectors lie along. */
  readonly inner: string;
  readonly all: readonly Expression[];
  /** Floats that attributes determine: computed once, in float64, by whoever calls the kernel. */
  readonly settled: readonly Expression[];
  levelOf(node: Expression): Level;
  /** The level at which the address of an access is known, but for the place along the vector. */
  baseLevelOf(access: Access): Level;
  isAlong(access: Access): boolean;
  /** Whether an index is the place of the lane, or so much more or less for all lanes. */
  isSideBySide(index: Expression | undefined): boolean;
  /** Whether the lanes of a vector do not lie side by side, or their bits in a quarter of a byte. */
  isScattered(access: Access): boolean;
  /** How many others are computed from it, and roots that it is. */
  usesOf(node: Expression): number;
  /** Passes over the row that have to be through before the value is known: 0 where it needs no sum. */
  sumsBefore(node: Expression): number;
  /** Values of a level that something at a higher one is computed from, each after its parts. */
  valuesAt(level: Level): readonly Expression[];
  /** Accesses whose addresses are known from a level on. */
  accessesAt(level: Level): readonly Access[];
}

export function analyse(body: Body): Analysis {
  const inner = body.domain.at(-1)?.coordinate ?? '';
  const stores = [...body.stores, ...body.sequences.flatMap((one) => one.stores)];
  const roots = [
    ...stores.flatMap(rootsOf),
    ...body.sequences.flatMap(sequenceRoots),
    ...(body.until ? [body.until] : []),
  ];
  const all = closureOf(roots);
  const levels = levelsOf(body, all);
  const levelOf = (node: Expression): Level => levels.get(node) ?? LEVEL.call;
  const highest = (nodes: readonly Expression[]) => highestOf(nodes.map(levelOf));
  const isAlong = ({ indices }: Access) => highest(indices) === LEVEL.vector;
  const { isSideBySide, isScattered } = placesOf(body, highest);
  const accesses: Access[] = [
    ...all.filter((node) => node.kind === 'load'),
    ...stores.map(({ operand, indices }) => ({ operand, indices })),
  ].filter((access) => isAlong(access) && !isScattered(access));
  const baseLevelOf = ({ indices }: Access): Level => {
    const uniform = closureOf(indices).filter((node) => levelOf(node) !== LEVEL.vector);
    return highestOf([LEVEL.item, highest(uniform)]);
  };
  const usedAbove = new Set(
    all.flatMap((node) => partsOf(node).filter((part) => levelOf(part) < levelOf(node))),
  );
  const isRoot = new Set(roots);
  const sums = sumsOf(all);
  const uses = usesOf(all, roots);
  const settled = settledOf(all, isRoot);
  const isOwnValue = (node: Expression) =>
    node.kind !== 'constant' && !isJoined(node) && (!isFolded(node) || settled.includes(node));
  return {
    body,
    inner,
    all,
    settled,
    levelOf,
    baseLevelOf,
    isAlong,
    isScattered,
    isSideBySide,
    usesOf: (node) => uses.get(node) ?? 0,
    sumsBefore: (node) => sums.get(node) ?? 0,
    valuesAt: (level) =>
      all.filter(
        (node) =>
          levelOf(node) === level &&
          isOwnValue(node) &&
          (usedAbove.has(node) || (isRoot.has(node) && level < LEVEL.vector)),
      ),
    accessesAt: (level) => accesses.filter((access) => baseLevelOf(access) === level),
  };
}

/** How the lanes of a vector lie in an operand. */
function placesOf(
  { domain, layouts }: Body,
  highest: (nodes: readonly Expression[]) => Level,
): Pick<Analysis, 'isSideBySide' | 'isScattered'> {
  const inner = domain.at(-1)?.coordinate ?? '';
  const isInner = (node: Expression | undefined) =>
    node?.kind === 'coordinate' && node.name === inner;
  const isSideBySide = (last: Expression | undefined) => {
    if (isInner(last) || last?.kind !== 'apply') return isInner(last);
    const isShift = last.operator === 'add' || last.operator === 'sub';
    return isShift && isInner(last.args[0]) && highest(last.args.slice(1)) < LEVEL.vector;
  };
  const isScattered = ({ operand, indices }: Access) => {
    if (highest(indices.slice(0, -1)) === LEVEL.vector) return true;
    if (highest(indices) < LEVEL.vector) return false;
    const last = indices.at(-1);
    return layouts[operand]?.element === 'bits' ? !isInner(last) : !isSideBySide(last);
  };
  return { isSideBySide, isScattered };
}

function levelsOf(body: Body, all: readonly Expression[]): ReadonlyMap<Expression, Level> {
  const inner = body.domain.at(-1)?.coordinate;
  const sequential = new Set(body.sequences.map(({ coordinate }) => coordinate));
  const levels = new Map<Expression, Level>();
  const levelOf = (node: Expression): Level => {
    switch (node.kind) {
      case 'coordinate':
        if (node.name === inner) return LEVEL.vector;
        return sequential.has(node.name) ? LEVEL.step : LEVEL.item;
      case 'state':
      case 'trail':
        return LEVEL.vector;
      case 'reduction':
        return LEVEL.item;
      case 'mean':
        return LEVEL.step;
      default:
        return highestOf(partsOf(node).map((part) => levels.get(part) ?? LEVEL.call));
    }
  };
  for (const node of all) levels.set(node, levelOf(node));
  return levels;
}

function highestOf(levels: readonly Level[]): Level {
  return levels.reduce<Level>((most, level) => (level > most ? level : most), LEVEL.call);
}

/** Passes over the row that have to be through before each value is known. */
function sumsOf(all: readonly Expression[]): ReadonlyMap<Expression, number> {
  const sums = new Map<Expression, number>();
  for (const node of all) {
    const before = Math.max(0, ...partsOf(node).map((part) => sums.get(part) ?? 0));
    sums.set(node, isJoined(node) ? before + 1 : before);
  }
  return sums;
}

function usesOf(
  all: readonly Expression[],
  roots: readonly Expression[],
): ReadonlyMap<Expression, number> {
  const uses = new Map<Expression, number>();
  for (const node of [...all.flatMap(partsOf), ...roots]) uses.set(node, (uses.get(node) ?? 0) + 1);
  return uses;
}

/** A float that attributes determine. */
function isFolded(node: Expression): boolean {
  return node.kind === 'apply' && node.type === 'f32' && isSettled(node);
}

/** Of the floats that attributes determine, those that something else is computed from. */
function settledOf(
  all: readonly Expression[],
  roots: ReadonlySet<Expression>,
): readonly Expression[] {
  const users = groupBy(
    all.flatMap((node) => partsOf(node).map((part) => ({ part, node }))),
    ({ part }) => part,
  );
  const isNeeded = (node: Expression) =>
    roots.has(node) || (users.get(node) ?? []).some((use) => !isFolded(use.node));
  return all.filter((node) => isFolded(node) && isNeeded(node));
}

export function rootsOf({ value, indices }: Store): readonly Expression[] {
  return [value, ...indices];
}

export function sequenceRoots({ from, to, states, stores, trail }: Sequence): Expression[] {
  return [
    from,
    to,
    ...stores.flatMap(rootsOf),
    ...trail.map(({ value }) => value),
    ...states.flatMap(({ initial, next }) => [initial, next]),
  ];
}
