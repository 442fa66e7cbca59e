import type { Curve } from '../../engine/pictures.ts';

/** A constant current and the parameter b, as Izhikevich (2003) names them. */
interface IzhikevichPlane {
  readonly b: number;
  readonly current: number;
}

const POINTS = 161;

/**
 * The lines on which one of the two variables stands still:
 *
 *   v-nullcline  u = 0.04 v^2 + 5 v + 140 + I         u-nullcline  u = b v
 */
export function nullclines(
  { b, current }: IzhikevichPlane,
  [low, high]: readonly [low: number, high: number],
): { readonly v: Curve; readonly u: Curve } {
  const x = Float64Array.from(
    { length: POINTS },
    (_, i) => low + ((high - low) * i) / (POINTS - 1),
  );
  return {
    v: { x, y: x.map((v) => 0.04 * v * v + 5 * v + 140 + current) },
    u: { x, y: x.map((v) => b * v) },
  };
}

interface FixedPoint {
  readonly v: number;
  readonly u: number;
  readonly kind: 'stable' | 'unstable' | 'saddle';
}

/**
 * Where the nullclines meet, from left to right; none where the neuron fires without end.
 * @param a the rate of recovery, which decides whether a fixed point is stable
 */
export function fixedPoints({ b, current }: IzhikevichPlane, a: number): FixedPoint[] {
  // 0.04 v^2 + (5 - b) v + 140 + I = 0
  const linear = 5 - b;
  const discriminant = linear * linear - 0.16 * (140 + current);
  if (discriminant < 0) return [];
  const root = Math.sqrt(discriminant);
  const found = root === 0 ? [0] : [-root, root];
  return found.map((side) => {
    const v = (-linear + side) / 0.08;
    return { v, u: b * v, kind: kindOf(0.08 * v + 5, { a, b }) };
  });
}

/** By the trace and the determinant of the Jacobian [[slope, -1], [a b, -a]]. */
function kindOf(slope: number, { a, b }: { readonly a: number; readonly b: number }) {
  const determinant = a * (b - slope);
  if (determinant < 0) return 'saddle';
  return slope - a < 0 ? 'stable' : 'unstable';
}
