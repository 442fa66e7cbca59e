import css from '../Memory.module.css';
import { useMemoryText } from '../memory-text.ts';
import { placeAt, PLACES, spanOf, type TimeWindow } from '../time-window.ts';

export interface ValidityCellProps {
  readonly validAt: string;
  readonly invalidAt: string | null;
  readonly window: TimeWindow;
  /** The moment that is looked at; empty for now. */
  readonly at: string;
}

/** From when until when something holds, on the scale of the slider, with the moment that is looked at. */
export function ValidityCell({ validAt, invalidAt, window, at }: ValidityCellProps) {
  const { t, format } = useMemoryText();
  const [start, end] = spanOf(validAt, invalidAt, window);
  const write = (moment: string) => format.dateTime(new Date(moment));
  return (
    <div className={css['validity']}>
      <span className={css['track']} aria-hidden="true">
        <span
          className={css['span']}
          data-open={invalidAt === null || undefined}
          style={{ left: `${start * 100}%`, width: `${(end - start) * 100}%` }}
        />
        <span
          className={css['moment']}
          style={{ left: `${(placeAt(at, window) / PLACES) * 100}%` }}
        />
      </span>
      <span className={css['small']}>
        {invalidAt === null
          ? t('valid.since', { from: write(validAt) })
          : t('valid.between', { from: write(validAt), to: write(invalidAt) })}
      </span>
    </div>
  );
}
