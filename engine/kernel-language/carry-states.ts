import type { Body, Layout, Sequence } from './body.ts';
import type { Expression } from './expression.ts';

/** The operands that a scan takes its first states from, and leaves its last ones in: `f32[states, ...]`. */
interface CarriedOperands {
  readonly before: string;
  /** Left out where the last states are of no use, as in a gradient. */
  readonly after?: string;
}

/**
 * The same scan as a part of a longer one: it goes on from the states of the steps before, and leaves its own to the
 * steps behind. What the text says of first states is true of the whole, and nothing is left of it here.
 */
export function carryStates(body: Body, { before, after }: CarriedOperands): Body {
  const { pool, sequences } = body;
  const [scan] = sequences;
  if (!scan || sequences.length !== 1) throw new Error('expected one scan to carry states through');
  const states = scan.states.map((state, index) => ({
    ...state,
    initial: pool.load(before, 'f32', statePlace(body, scan, index)),
  }));
  const layout = stateLayout(body, scan);
  const last = scan.states.map(({ name, type }, index) => ({
    operand: after ?? before,
    indices: statePlace(body, scan, index),
    value: pool.state(name, type),
  }));
  return {
    ...body,
    layouts: { ...body.layouts, [before]: layout, ...(after !== undefined && { [after]: layout }) },
    sequences: [{ ...scan, states }],
    stores: after === undefined ? body.stores : [...body.stores, ...last],
  };
}

/** All states of a scan, one behind the other: those of each place of its domain but the steps. */
export function stateLayout({ domain }: Body, { coordinate, states }: Sequence): Layout {
  const other = states.find(({ type }) => type !== 'f32');
  if (other) throw new Error(`the state ${other.name} is ${other.type}: expected numbers`);
  const axes = domain.filter((axis) => axis.coordinate !== coordinate).map(({ size }) => size);
  return { element: 'f32', axes: [states.length, ...axes] };
}

/** Where a state lies in such an operand. */
export function statePlace(
  { pool, domain }: Body,
  { coordinate }: Sequence,
  index: number,
): readonly Expression[] {
  const others = domain.filter((axis) => axis.coordinate !== coordinate);
  return [pool.constant(index, 'i32'), ...others.map((axis) => pool.coordinate(axis.coordinate))];
}
