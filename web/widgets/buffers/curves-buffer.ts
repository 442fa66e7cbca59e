import type { Curve } from '../../../engine/pictures.ts';
import { createSignal, type Source } from './signal.ts';

/** The curves of one plot, replaced as a whole whenever they are computed anew. */
export interface CurvesBuffer extends Source {
  readonly curves: readonly Curve[];
  replace(curves: readonly Curve[]): void;
}

export function createCurvesBuffer(): CurvesBuffer {
  const signal = createSignal();
  let curves: readonly Curve[] = [];
  let version = 0;
  return {
    get curves() {
      return curves;
    },
    get version() {
      return version;
    },
    subscribe: signal.subscribe,
    replace(next) {
      for (const { x, y } of next) {
        if (x.length !== y.length) {
          throw new RangeError(`a curve has ${x.length} x and ${y.length} y, expected as many`);
        }
      }
      curves = next;
      version++;
      signal.emit();
    },
  };
}
