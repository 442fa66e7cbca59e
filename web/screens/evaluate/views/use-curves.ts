import { useEffect, useState } from 'react';
import {
  createCurvesBuffer,
  type Curve,
  type CurvesBuffer,
} from '../../../widgets/buffers/curves-buffer.ts';

/** A buffer that holds these curves. @param curves kept by the caller while they do not change */
export function useCurves(curves: readonly Curve[]): CurvesBuffer {
  const [buffer] = useState(createCurvesBuffer);
  useEffect(() => buffer.replace(curves), [buffer, curves]);
  return buffer;
}
