import type { StepRange } from '../buffers/spike-buffer.ts';
import { Row } from '../../ui/Layout.tsx';
import { useChartText } from './chart-text.ts';

interface StepAxisProps {
  readonly range: StepRange;
  /** Time steps across the whole width. */
  readonly columns: number;
}

const STEPS = { color: 'var(--ink-muted)', fontSize: '0.75rem' };

/** The first and the last step in sight, under a plot over time. */
export function StepAxis({ range, columns }: StepAxisProps) {
  const { t } = useChartText();
  return (
    <Row as="small" justify="space-between" style={STEPS} aria-hidden="true">
      <span>{t('raster.stepAxis', { step: range.from })}</span>
      <span>{t('raster.stepAxis', { step: Math.max(range.from + columns, range.to) })}</span>
    </Row>
  );
}
