import type { Sequence } from './body.ts';
import {
  closureOf,
  type Expression,
  type ExpressionPool,
  type Load,
  partsOf,
} from './expression.ts';

/**
 * Chooses what the forward steps note down: the values that the way back takes from them, or, where those are
 * more than the states, the states, from which it computes them again.
 */
export function chooseTrail(
  pool: ExpressionPool,
  forward: Sequence,
  back: Pick<Sequence, 'states' | 'stores'>,
) {
  const roots = [...back.stores.map(({ value }) => value), ...back.states.map(({ next }) => next)];
  const own = new Set(back.states.map(({ name }) => name));
  const all = closureOf(roots);
  const gradients = new Set<Expression>();
  const stateful = new Set<Expression>();
  for (const node of all) {
    const parts = partsOf(node);
    const isGradient =
      (node.kind === 'state' && own.has(node.name)) ||
      (node.kind === 'load' && !isForwardLoad(forward, node)) ||
      parts.some((part) => gradients.has(part));
    if (isGradient) gradients.add(node);
    else if (node.kind === 'state' || parts.some((part) => stateful.has(part))) stateful.add(node);
  }
  const needed = new Set(
    [...all.filter((node) => gradients.has(node)).flatMap(partsOf), ...roots].filter((node) =>
      stateful.has(node),
    ),
  );
  const states = all.filter((node) => node.kind === 'state' && stateful.has(node));
  // A mean is one number, and takes a pass over the layer to compute again.
  const means = all.filter((node) => node.kind === 'mean' && stateful.has(node));
  const kept = [...states, ...means];
  const chosen = needed.size <= Math.max(1, kept.length) ? [...needed] : kept;
  const replaced = new Map(
    chosen.map((node, index) => [node, pool.trail(`trail ${index}`, node.type)] as const),
  );
  const noted = chosen.map((value, index) => ({ name: `trail ${index}`, value }));
  return { noted, replaced };
}

function isForwardLoad(forward: Sequence, node: Load): boolean {
  const values = [
    ...forward.states.map(({ next }) => next),
    ...forward.stores.map(({ value }) => value),
  ];
  return closureOf(values).includes(node);
}

/** Rebuilds expressions with some nodes in place of others. */
export function substitution(pool: ExpressionPool, replaced: ReadonlyMap<Expression, Expression>) {
  const done = new Map<Expression, Expression>(replaced);
  const rename = (node: Expression): Expression => {
    const known = done.get(node);
    if (known) return known;
    let made = node;
    if (node.kind === 'mean') made = pool.groupMean(rename(node.value));
    else if (node.kind === 'apply') {
      const args = node.args.map(rename);
      const isSame = args.every((arg, index) => arg === node.args[index]);
      if (!isSame) {
        made =
          node.operator === 'convert'
            ? pool.convert(args[0] as Expression, node.type)
            : pool.apply(node.operator, ...args);
      }
    }
    done.set(node, made);
    return made;
  };
  return rename;
}
