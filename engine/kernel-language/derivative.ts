import {
  type Apply,
  closureOf,
  type Expression,
  type ExpressionPool,
  type Operator,
} from './expression.ts';

/** Derivative of the step of a spike, of its distance to the threshold. */
export type Slope = (pool: ExpressionPool, x: Expression) => Expression;

/** Gradients by the expressions that they belong to. */
export type Adjoints = Map<Expression, Expression>;

/**
 * Carries gradients back from the expressions of `seeds` to all that they are computed from: reverse
 * accumulation, symbolically. Conditions and whole numbers have no gradient.
 */
export function carryBack(pool: ExpressionPool, seeds: Adjoints, slope: Slope): Adjoints {
  const adjoints: Adjoints = new Map(seeds);
  const give = (to: Expression, amount: Expression | undefined) => {
    if (!amount || to.type !== 'f32' || to.kind === 'constant') return;
    const before = adjoints.get(to);
    adjoints.set(to, before ? pool.apply('add', before, amount) : amount);
  };
  // Those that are computed last come first.
  for (const node of closureOf(seeds.keys()).toReversed()) {
    const adjoint = adjoints.get(node);
    if (!adjoint) continue;
    // Each place's share of the mean comes back to all of them: the mean of their gradients.
    if (node.kind === 'mean') give(node.value, pool.groupMean(adjoint));
    if (node.kind !== 'apply') continue;
    const parts = partialsOf(pool, node, adjoint, slope);
    for (const [index, arg] of node.args.entries()) give(arg, parts[index]);
  }
  return adjoints;
}

/** The shares of a node's gradient that go to its arguments; conditions and whole numbers get none. */
function partialsOf(
  pool: ExpressionPool,
  node: Apply,
  g: Expression,
  slope: Slope,
): readonly (Expression | undefined)[] {
  // Operators have the arguments that their arity says.
  const [a, b, c] = node.args as [Expression, Expression, Expression];
  return RULES[node.operator]?.({ pool, node, g, a, b, c, slope }) ?? [];
}

interface Place {
  readonly pool: ExpressionPool;
  readonly node: Apply;
  /** The gradient of the node, and the arguments that it has. */
  readonly g: Expression;
  readonly a: Expression;
  readonly b: Expression;
  readonly c: Expression;
  readonly slope: Slope;
}

type Rule = (place: Place) => readonly (Expression | undefined)[];

/** The gradients of arguments by operator; those without a rule have no gradient. */
const RULES: Partial<Readonly<Record<Operator, Rule>>> = {
  neg: ({ pool, g }) => [pool.apply('neg', g)],
  add: ({ g }) => [g, g],
  sub: ({ pool, g }) => [g, pool.apply('neg', g)],
  mul: ({ pool, g, a, b }) => [pool.apply('mul', g, b), pool.apply('mul', g, a)],
  div({ pool, node, g, b }) {
    const share = pool.apply('div', pool.apply('mul', g, node), b);
    return [pool.apply('div', g, b), pool.apply('neg', share)];
  },
  madd: ({ pool, g, a, b }) => [pool.apply('mul', g, b), pool.apply('mul', g, a), g],
  abs: ({ pool, g, a }) => [
    pool.apply('select', pool.apply('lt', a, pool.constant(0)), pool.apply('neg', g), g),
  ],
  sqrt: ({ pool, node, g }) => [pool.apply('div', g, pool.apply('add', node, node))],
  exp: ({ pool, node, g }) => [pool.apply('mul', g, node)],
  log: ({ pool, g, a }) => [pool.apply('div', g, a)],
  tanh({ pool, node, g }) {
    const rest = pool.apply('sub', pool.constant(1), pool.apply('mul', node, node));
    return [pool.apply('mul', g, rest)];
  },
  sin: ({ pool, g, a }) => [pool.apply('mul', g, pool.apply('cos', a))],
  cos: ({ pool, g, a }) => [pool.apply('neg', pool.apply('mul', g, pool.apply('sin', a)))],
  min: ({ pool, g, a, b }) => [
    where(pool, pool.apply('lt', a, b), g),
    where(pool, pool.apply('ge', a, b), g),
  ],
  max: ({ pool, g, a, b }) => [
    where(pool, pool.apply('gt', a, b), g),
    where(pool, pool.apply('le', a, b), g),
  ],
  select: ({ pool, g, a, b, c }) => [
    undefined,
    b.type === 'f32' ? where(pool, a, g) : undefined,
    c.type === 'f32' ? pool.apply('select', a, pool.constant(0), g) : undefined,
  ],
  // Without a slope of its own it has that of the surrogate.
  fires: ({ pool, node, g, b, slope }) => [
    undefined,
    pool.apply('mul', g, node.args[2] ?? slope(pool, b)),
  ],
};

function where(pool: ExpressionPool, condition: Expression, value: Expression): Expression {
  return pool.apply('select', condition, value, pool.constant(0));
}
