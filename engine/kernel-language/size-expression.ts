import type { Expression, ExpressionPool } from './expression.ts';

/** A size as `sizeOf` reads it, as an expression of attributes. */
export function sizeExpression(pool: ExpressionPool, size: string): Expression {
  const value = (text = '') =>
    /^\d+$/.test(text) ? pool.constant(Number(text), 'i32') : pool.attribute(text, 'i32');
  const one = pool.constant(1, 'i32');
  const [first, ...others] = size.split(/ ([*/]) /);
  let product = value(first);
  for (let at = 0; at < others.length; at += 2) {
    const factor = value(others[at + 1]);
    if (others[at] === '*') product = pool.apply('mul', product, factor);
    else {
      const whole = pool.apply('add', product, pool.apply('sub', factor, one));
      product = pool.apply('div', whole, factor);
    }
  }
  return product;
}
