import type { Body } from './body.ts';
import { carryBack } from './derivative.ts';
import { closureOf } from './expression.ts';

/**
 * A map of one operand, element by element, joined with its derivative: `slope` gets what the gradient of the
 * output is to be multiplied by, from the same values in the same pass. The output keeps its bits.
 */
export function fuseSlope(body: Body, slope: string): Body {
  const { pool, layouts, stores } = body;
  const [store] = stores;
  if (!store) throw new Error('a map without an output has no derivative');
  const adjoints = carryBack(pool, new Map([[store.value, pool.constant(1)]]), () => {
    throw new Error('the derivative of a spike is a surrogate, not a slope');
  });
  const [input, second] = closureOf([store.value]).filter(({ kind }) => kind === 'load');
  if (input?.kind !== 'load' || second) throw new Error('expected a map of one operand');
  const layout = layouts[store.operand];
  return {
    ...body,
    layouts: layout ? { ...layouts, [slope]: layout } : layouts,
    stores: [store, { ...store, operand: slope, value: adjoints.get(input) ?? pool.constant(0) }],
  };
}
