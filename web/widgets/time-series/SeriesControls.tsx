import type { PlotScale } from '../../../engine/pictures.ts';
import { RangeField } from '../../ui/RangeField.tsx';
import { Toggle } from '../../ui/Toggle.tsx';
import { useChartText } from '../chart/chart-text.ts';

/** The strongest smoothing offered: each point then stands for about the last hundred. */
const MAX_SMOOTHING = 0.99;

interface SeriesControlsProps {
  readonly scale: PlotScale;
  /** 0 to MAX_SMOOTHING; see smooth. */
  readonly smoothing: number;
  readonly onScale: (scale: PlotScale) => void;
  readonly onSmoothing: (smoothing: number) => void;
}

export function SeriesControls({ scale, smoothing, onScale, onSmoothing }: SeriesControlsProps) {
  const { t, format } = useChartText();
  return (
    <>
      <Toggle
        state={scale === 'log' ? 'on' : 'off'}
        onToggle={(state) => onScale(state === 'on' ? 'log' : 'linear')}
      >
        {t('series.logScale')}
      </Toggle>
      <RangeField
        label={t('series.smoothing')}
        layout="inline"
        value={smoothing}
        min={0}
        max={MAX_SMOOTHING}
        step={0.01}
        valueText={format.percent(smoothing)}
        onChange={onSmoothing}
      />
    </>
  );
}
