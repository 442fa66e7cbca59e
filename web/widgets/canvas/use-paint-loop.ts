import { useCallback, type RefCallback } from 'react';
import type { Source } from '../buffers/signal.ts';
import { startPaintLoop, type Painter } from './paint-loop.ts';

/**
 * A ref for a `<canvas>` that `paint` draws whenever `source` changes.
 * @param paint kept with useMemo or useCallback: another one starts another loop
 */
export function usePaintLoop(source: Source, paint: Painter): RefCallback<HTMLCanvasElement> {
  return useCallback(
    (canvas: HTMLCanvasElement | null) => {
      if (!canvas) return undefined;
      const loop = startPaintLoop(canvas, source, paint);
      return () => loop.close();
    },
    [source, paint],
  );
}
