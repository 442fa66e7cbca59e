import { carryBack } from '../kernel-language/derivative.ts';
import { closureOf, type Expression, type ExpressionPool } from '../kernel-language/expression.ts';
import { substitution } from '../kernel-language/trail.ts';
import type { Method } from './statements.ts';

/** A system of differential equations, where a step begins. */
interface System {
  readonly pool: ExpressionPool;
  readonly dt: Expression;
  /** The quantities that the equations are about. */
  readonly values: readonly Expression[];
  /** Their rates of change at other values of theirs, per millisecond. */
  rates(values: readonly Expression[]): readonly Expression[];
}

/** Below this, (e^z - 1) / z is its series: the difference would cancel. */
const SMALL = 0.01;

/** The quantities after a step. */
export function integrate(system: System, method: Method): readonly Expression[] {
  if (method === 'rk4') return rungeKutta(system);
  const { pool, dt, values } = system;
  const rates = system.rates(values);
  return values.map((value, index) => {
    const rate = rates[index] ?? value;
    const slope = method === 'euler' ? undefined : slopeOf(pool, rate, value);
    const length = slope ? relaxation(pool, slope, dt) : dt;
    return pool.apply('madd', length, rate, value);
  });
}

/** Classical Runge-Kutta of fourth order, all quantities together. */
function rungeKutta({ pool, dt, values, rates }: System): readonly Expression[] {
  const shifted = (slopes: readonly Expression[], fraction: number) => {
    const length = pool.apply('mul', dt, pool.constant(fraction));
    return values.map((value, index) => pool.apply('madd', length, slopes[index] ?? value, value));
  };
  const first = rates(values);
  const second = rates(shifted(first, 0.5));
  const third = rates(shifted(second, 0.5));
  const fourth = rates(shifted(third, 1));
  const sixth = pool.apply('div', dt, pool.constant(6));
  return values.map((value, index) => {
    const at = (slopes: readonly Expression[]) => slopes[index] ?? value;
    const inner = pool.apply('mul', pool.constant(2), pool.apply('add', at(second), at(third)));
    const sum = pool.apply('add', pool.apply('add', at(first), inner), at(fourth));
    return pool.apply('madd', sixth, sum, value);
  });
}

/** How the rate of a quantity changes with the quantity; undefined where it does not. */
function slopeOf(
  pool: ExpressionPool,
  rate: Expression,
  value: Expression,
): Expression | undefined {
  if (rate === value) return pool.constant(1);
  // One neuron adds little to a mean: the step takes it as fixed.
  const means = closureOf([rate]).filter(({ kind }) => kind === 'mean');
  const fixed = means.map((node) => [node, pool.trail(`mean ${node.id}`, 'f32')] as const);
  const hide = substitution(pool, new Map(fixed));
  const show = substitution(pool, new Map(fixed.map(([node, stand]) => [stand, node])));
  const none = () => pool.constant(0);
  const slope = carryBack(pool, new Map([[hide(rate), pool.constant(1)]]), none).get(hide(value));
  return slope && show(slope);
}

/** (e^(J dt) - 1) / J: exact where the rate is linear in its quantity. */
function relaxation(pool: ExpressionPool, slope: Expression, dt: Expression): Expression {
  const { apply, constant } = {
    apply: pool.apply.bind(pool),
    constant: (value: number) => pool.constant(value),
  };
  const z = apply('mul', slope, dt);
  const isSmall = apply('lt', apply('abs', z), constant(SMALL));
  const inner = apply('madd', z, constant(1 / 6), constant(0.5));
  const series = apply('mul', dt, apply('madd', z, inner, constant(1)));
  const grown = apply('sub', apply('exp', z), constant(1));
  // Divides by something other than 0 on both ways: a select computes both.
  const divisor = apply('select', isSmall, constant(1), slope);
  return apply('select', isSmall, series, apply('div', grown, divisor));
}
