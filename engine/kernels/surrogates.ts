import type { Expression, ExpressionPool } from '../kernel-language/expression.ts';
import type { Slope } from '../kernel-language/derivative.ts';

/** Steepness of the fast sigmoid and of the sigmoid. */
const STEEPNESS = 25;
const TRIANGLE_HEIGHT = 0.3;

/**
 * The slopes that stand in for the derivative of a spike, at x = membrane - threshold.
 *
 *   atan          1 / (1 + (pi x)^2)
 *   fast_sigmoid  1 / (1 + 25 |x|)^2
 *   sigmoid       25 s (1 - s), s = 1 / (1 + exp(-25 x))
 *   triangle      0.3 max(0, 1 - |x|)
 */
const slopes: Readonly<Record<string, Slope>> = {
  atan(pool, x) {
    const y = pool.apply('mul', x, pool.constant(Math.PI));
    return inverse(pool, pool.apply('madd', y, y, pool.constant(1)));
  },
  fast_sigmoid(pool, x) {
    const root = pool.apply(
      'madd',
      pool.constant(STEEPNESS),
      pool.apply('abs', x),
      pool.constant(1),
    );
    return inverse(pool, pool.apply('mul', root, root));
  },
  sigmoid(pool, x) {
    const steepness = pool.constant(STEEPNESS);
    const falling = pool.apply('exp', pool.apply('neg', pool.apply('mul', x, steepness)));
    const s = inverse(pool, pool.apply('add', pool.constant(1), falling));
    const rest = pool.apply('sub', pool.constant(1), s);
    return pool.apply('mul', steepness, pool.apply('mul', s, rest));
  },
  triangle(pool, x) {
    const distance = pool.apply('sub', pool.constant(1), pool.apply('abs', x));
    const height = pool.constant(TRIANGLE_HEIGHT);
    return pool.apply('mul', height, pool.apply('max', pool.constant(0), distance));
  },
};

/** The same as text, of `x`. */
export const SLOPES = {
  atan: `1 / madd(x * ${Math.PI}, x * ${Math.PI}, 1)`,
  fast_sigmoid: `1 / (madd(${STEEPNESS}, abs(x), 1) * madd(${STEEPNESS}, abs(x), 1))`,
  sigmoid: `${STEEPNESS} * (sigmoid(x * ${STEEPNESS}) * (1 - sigmoid(x * ${STEEPNESS})))`,
  triangle: `${TRIANGLE_HEIGHT} * max(0, 1 - abs(x))`,
} as const;

/** The slope of a surrogate by its name. */
export function slopeOf(surrogate: unknown): Slope {
  const slope = slopes[String(surrogate)];
  if (slope) return slope;
  throw new Error(
    `surrogate ${String(surrogate)}: expected one of ${Object.keys(slopes).join(', ')}`,
  );
}

function inverse(pool: ExpressionPool, value: Expression): Expression {
  return pool.apply('div', pool.constant(1), value);
}
