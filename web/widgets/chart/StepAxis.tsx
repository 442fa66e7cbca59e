import type { StepRange } from '../buffers/spike-buffer.ts';
import css from './StepAxis.module.css';
import { useChartText } from './chart-text.ts';

interface StepAxisProps {
  readonly range: StepRange;
  /** Time steps across the whole width. */
  readonly columns: number;
}

/** The first and the last step in sight, under a plot over time. */
export function StepAxis({ range, columns }: StepAxisProps) {
  const { t } = useChartText();
  return (
    <div className={css['steps']} aria-hidden="true">
      <span>{t('raster.stepAxis', { step: range.from })}</span>
      <span>{t('raster.stepAxis', { step: Math.max(range.from + columns, range.to) })}</span>
    </div>
  );
}
