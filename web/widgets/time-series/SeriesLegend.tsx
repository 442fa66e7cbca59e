import { SERIES_DASHES } from '../../../engine/pictures.ts';
import { Row } from '../../ui/Layout.tsx';
import css from './TimeSeries.module.css';

interface SeriesLegendProps {
  readonly names: readonly string[];
  /** The place of each among the colours and dashes, where it is not its own. */
  readonly series?: readonly number[] | undefined;
}

/** Which curve is which, by colour and by dash. */
export function SeriesLegend({ names, series = [] }: SeriesLegendProps) {
  return (
    <Row as="ul" gap={[1, 4]} align="stretch" style={{ fontSize: 'var(--text-small)' }}>
      {names.map((name, index) => (
        <li key={name} className={css['entry']}>
          <Swatch place={(series[index] ?? index) % SERIES_DASHES.length} />
          {name}
        </li>
      ))}
    </Row>
  );
}

function Swatch({ place }: { readonly place: number }) {
  return (
    <svg className={css['swatch']} viewBox="0 0 28 8" aria-hidden="true">
      <path
        d="M0 4H28"
        stroke={`var(--series-${place + 1})`}
        strokeDasharray={SERIES_DASHES[place]?.join(' ')}
      />
    </svg>
  );
}
