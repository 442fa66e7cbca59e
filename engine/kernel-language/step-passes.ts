import type { Sequence, Store } from './body.ts';
import {
  closureOf,
  type Expression,
  type GroupMean,
  isJoined,
  type Operator,
} from './expression.ts';
import { type Analysis, LEVEL, rootsOf } from './levels.ts';

/** A pass over the row in a step: the means that it is for, none in the last, and all that it computes. */
export interface StepPass {
  readonly means: readonly GroupMean[];
  readonly roots: readonly Expression[];
}

/** The passes of a step: those of means, each after those that it needs, and the last one. */
export function stepPasses(analysis: Analysis, sequence: Sequence, isDry = false): StepPass[] {
  const roots = lastRoots(sequence, isDry);
  const all = closureOf(roots).filter((node) => node.kind === 'mean');
  const count = Math.max(0, ...all.map((node) => analysis.sumsBefore(node)));
  const passes = Array.from({ length: count }, (_, index): StepPass => {
    const means = all.filter((node) => analysis.sumsBefore(node) === index + 1);
    return { means, roots: means.map(({ value }) => value) };
  });
  return [...passes, { means: [], roots }];
}

function lastRoots({ states, stores, trail }: Sequence, isDry: boolean): Expression[] {
  const nexts = states.map(({ next }) => next);
  if (isDry) return [...nexts, ...stores.flatMap(rootsOf)];
  return [...nexts, ...stores.flatMap(rootsOf), ...trail.map(({ value }) => value)];
}

/** Functions that take more instructions than scratch memory takes to write and read. */
const COSTLY: ReadonlySet<Operator> = new Set(['exp', 'log', 'tanh', 'sin', 'cos'] as const);

/** Whether passes keep the value of a place for later ones rather than compute it again. */
export function isCostly(analysis: Analysis, node: Expression): boolean {
  const takesLong = node.kind === 'apply' && COSTLY.has(node.operator);
  return takesLong && analysis.levelOf(node) === LEVEL.vector;
}

/** Costly values of several passes of a step, with the first of them. */
export function keptInSteps(
  analysis: Analysis,
  passes: readonly StepPass[],
): ReadonlyMap<Expression, number> {
  const found = new Map<Expression, number>();
  const kept = new Map<Expression, number>();
  for (const [pass, { roots }] of passes.entries()) {
    for (const node of closureOf(roots, isJoined)) {
      if (!isCostly(analysis, node)) continue;
      const first = found.get(node);
      if (first === undefined) found.set(node, pass);
      else kept.set(node, first);
    }
  }
  return kept;
}

/** The values that a pass computes itself: passes before it have left the others. */
export function computedIn(
  { roots }: StepPass,
  isKnown: (node: Expression) => boolean,
): readonly Expression[] {
  return closureOf(roots, (node) => isJoined(node) || isKnown(node));
}

/** Stores whose elements the places of a row have, and those that they share. */
export function splitStores(analysis: Analysis, stores: readonly Store[]) {
  const along = stores.filter((store) => analysis.isAlong(store));
  return { along, shared: stores.filter((store) => !along.includes(store)) };
}
