import type { Axis, Body, Layout, Sequence, Store } from './body.ts';
import { closureOf, type Expression, isJoined, partsOf } from './expression.ts';

/**
 * The same body with its last two axes as one, where every operand either has both, in this order at its
 * end, or neither, and no value depends on where along them it is: then rows need no loop of their own.
 */
export function flatten(body: Body): Body {
  const [outer, inner] = body.domain.slice(-2);
  if (!outer || !inner || body.domain.length < 2) return body;
  if (body.sequences.some(({ coordinate }) => coordinate === outer.coordinate)) return body;
  if (!canFlatten(body, outer, inner)) return body;
  const size = `${outer.size} * ${inner.size}`;
  const layouts = Object.fromEntries(
    Object.entries(body.layouts).map(([name, layout]) => [
      name,
      joinAxes(layout, outer, inner, size),
    ]),
  );
  const join = <A extends { readonly operand: string; readonly indices: readonly Expression[] }>(
    one: A,
  ): A =>
    layouts[one.operand] === body.layouts[one.operand]
      ? one
      : { ...one, indices: [...one.indices.slice(0, -2), ...one.indices.slice(-1)] };
  const { rewrite } = rewriter(body, join);
  const stores = (all: readonly Store[]) =>
    all.map((one) => ({ ...join(one), value: rewrite(one.value) }));
  const sequence = (one: Sequence): Sequence => ({
    ...one,
    stores: stores(one.stores),
    trail: one.trail.map((noted) => ({ ...noted, value: rewrite(noted.value) })),
    states: one.states.map((state) => ({
      ...state,
      initial: rewrite(state.initial),
      next: rewrite(state.next),
    })),
  });
  return flatten({
    ...body,
    layouts,
    domain: [...body.domain.slice(0, -2), { coordinate: inner.coordinate, size }],
    sequences: body.sequences.map(sequence),
    stores: stores(body.stores),
  });
}

function canFlatten(body: Body, outer: Axis, inner: Axis): boolean {
  const stores = [...body.stores, ...body.sequences.flatMap((one) => one.stores)];
  const values = [
    ...stores.map(({ value }) => value),
    ...body.sequences.flatMap(({ states, trail }) => [
      ...states.flatMap(({ initial, next }) => [initial, next]),
      ...trail.map(({ value }) => value),
    ]),
  ];
  const all = closureOf(values);
  if (all.some(isJoined)) return false;
  const names = (node: Expression) => isAt(node, outer) || isAt(node, inner);
  const isWhole = (operand: string, indices: readonly Expression[]) => {
    const { axes, element } = body.layouts[operand] ?? { axes: [], element: 'bits' };
    const [a, b] = indices.slice(-2);
    const both =
      isAt(a, outer) && isAt(b, inner) && axes.at(-2) === outer.size && axes.at(-1) === inner.size;
    const others = both ? indices.slice(0, -2) : indices;
    return (
      (!both || element !== 'bits') &&
      !closureOf(others).some(names) &&
      (both || !axes.includes(inner.size))
    );
  };
  const isFree = (node: Expression) =>
    node.kind === 'load' ? isWhole(node.operand, node.indices) : !partsOf(node).some(names);
  return (
    all.every(isFree) &&
    !values.some(names) &&
    stores.every(
      ({ operand, indices }) =>
        isWhole(operand, indices) && indices.some((one) => isAt(one, inner)),
    )
  );
}

function isAt(node: Expression | undefined, { coordinate }: Axis): boolean {
  return node?.kind === 'coordinate' && node.name === coordinate;
}

function joinAxes(layout: Layout, outer: Axis, inner: Axis, size: string): Layout {
  const { axes } = layout;
  if (axes.at(-2) !== outer.size || axes.at(-1) !== inner.size) return layout;
  return { ...layout, axes: [...axes.slice(0, -2), size] };
}

/** Rebuilds expressions whose loads are changed. */
function rewriter(
  { pool }: Body,
  change: <A extends { readonly operand: string; readonly indices: readonly Expression[] }>(
    one: A,
  ) => A,
) {
  const done = new Map<Expression, Expression>();
  const rewrite = (node: Expression): Expression => {
    const known = done.get(node);
    if (known) return known;
    let made = node;
    if (node.kind === 'load') {
      const { operand, indices } = change(node);
      made = pool.load(operand, node.type, indices.map(rewrite));
    } else if (node.kind === 'apply') {
      const args = node.args.map(rewrite);
      const [first] = args;
      made =
        node.operator === 'convert' && first
          ? pool.convert(first, node.type)
          : pool.apply(node.operator, ...args);
    }
    done.set(node, made);
    return made;
  };
  return { rewrite };
}
