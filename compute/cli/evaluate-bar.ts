import { Presets, SingleBar } from 'cli-progress';
import type { Evaluator } from '../../engine/index.ts';

/** How far an evaluation has come, for a person at a terminal. */
export function createEvaluateBar(
  { total, unit }: Pick<Evaluator, 'total' | 'unit'>,
  { isShown }: { readonly isShown: boolean },
) {
  const format = ` {bar} {percentage} % | {value} of {total} ${unit}s | {speed} a second | {eta_formatted} left`;
  const bar = new SingleBar(
    { format, hideCursor: true, noTTYOutput: false },
    Presets.shades_classic,
  );
  const started = performance.now();
  if (isShown) bar.start(total, 0, { speed: '…' });
  return {
    advance(done: number) {
      const seconds = (performance.now() - started) / 1000;
      if (isShown) bar.update(done, { speed: Math.round(done / seconds) });
    },
    stop: () => bar.stop(),
  };
}
