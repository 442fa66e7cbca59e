import { SERIES_DASHES } from '../canvas/chart-theme.ts';
import css from './TimeSeries.module.css';

export interface SeriesLegendProps {
  readonly names: readonly string[];
}

/** Which curve is which, by colour and by dash. */
export function SeriesLegend({ names }: SeriesLegendProps) {
  return (
    <ul className={css['legend']}>
      {names.map((name, index) => (
        <li key={name} className={css['entry']}>
          <svg className={css['swatch']} viewBox="0 0 28 8" aria-hidden="true">
            <path
              d="M0 4H28"
              stroke={`var(--series-${(index % SERIES_DASHES.length) + 1})`}
              strokeDasharray={SERIES_DASHES[index % SERIES_DASHES.length]?.join(' ')}
            />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}
