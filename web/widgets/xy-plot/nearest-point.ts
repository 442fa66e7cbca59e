import { type Curve, placeOf, type Scales } from '../../../engine/pictures.ts';

/**
 * The point of a curve that is nearest to a place in the plane, both 0 to 1. `x` looks along the x
 * axis only: for curves that are read from left to right.
 */
export function nearestPoint(
  { x, y }: Curve,
  scales: Scales,
  place: { readonly x: number; readonly y: number },
  along: 'x' | 'plane',
): number | null {
  let nearest: number | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < x.length; i++) {
    const across = placeOf(scales.x, x[i] ?? Number.NaN) - place.x;
    const up = along === 'plane' ? placeOf(scales.y, y[i] ?? Number.NaN) - place.y : 0;
    const distance = across * across + up * up;
    if (distance < least) [nearest, least] = [i, distance];
  }
  return nearest;
}
