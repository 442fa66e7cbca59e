import type { Body, Layout, Store } from './body.ts';
import { closureOf, type Expression } from './expression.ts';
import { substitution } from './trail.ts';

/** Operands that become rows of one: how many there are of it, and their axes behind. */
export interface Pack {
  readonly count: number;
  readonly axes: Layout['axes'];
}

const NUMBERED = /^([A-Za-z]+)(\d+)$/;

/**
 * The same body with numbered operands as one: `states0[row, column]` is `states[0, row, column]`. A stage of a GPU
 * binds no more than eight operands.
 */
export function packOperands(body: Body, packs: Readonly<Record<string, Pack>>): Body {
  const { pool, sequences } = body;
  const placeOf = ({ operand, indices }: Pick<Store, 'operand' | 'indices'>) => {
    const [, group = '', index] = NUMBERED.exec(operand) ?? [];
    if (!Object.hasOwn(packs, group)) return undefined;
    return { operand: group, indices: [pool.constant(Number(index), 'i32'), ...indices] };
  };
  const replaced = new Map<Expression, Expression>();
  for (const node of closureOf(valuesOf(body))) {
    const place = node.kind === 'load' ? placeOf(node) : undefined;
    if (place) replaced.set(node, pool.load(place.operand, 'f32', place.indices));
  }
  const rename = substitution(pool, replaced);
  const stores = (all: readonly Store[]) =>
    all.map((one) => ({ ...one, ...placeOf(one), value: rename(one.value) }));
  const others = Object.entries(body.layouts).filter(([name]) => {
    const [, group = ''] = NUMBERED.exec(name) ?? [];
    return !Object.hasOwn(packs, group);
  });
  const own = Object.entries(packs).map(([group, { count, axes }]): [string, Layout] => [
    group,
    { element: 'f32', axes: [count, ...axes] },
  ]);
  return {
    ...body,
    layouts: Object.fromEntries([...others, ...own]),
    sequences: sequences.map((one) => ({
      ...one,
      stores: stores(one.stores),
      trail: one.trail.map((noted) => ({ ...noted, value: rename(noted.value) })),
      states: one.states.map((state) => ({
        ...state,
        initial: rename(state.initial),
        next: rename(state.next),
      })),
    })),
    stores: stores(body.stores),
  };
}

function valuesOf({ sequences, stores }: Body): Expression[] {
  const ofSteps = sequences.flatMap((one) => [
    ...one.states.flatMap(({ initial, next }) => [initial, next]),
    ...one.stores.map(({ value }) => value),
    ...one.trail.map(({ value }) => value),
  ]);
  return [...ofSteps, ...stores.map(({ value }) => value)];
}
