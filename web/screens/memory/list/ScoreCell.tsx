import { ScoreBreakdown, type MemoryHit } from '../../../../edge/memory/contract/search.ts';
import css from '../Memory.module.css';
import { useMemoryText } from '../memory-text.ts';

type Reason = keyof ScoreBreakdown;

/** In the order of the schema. */
export const REASONS = Object.keys(ScoreBreakdown.shape) as readonly Reason[];

export const reasonColour = (reason: Reason): string =>
  `var(--series-${REASONS.indexOf(reason) + 1})`;

/** A score, and how much of it each reason adds: as a bar, and in words. */
export function ScoreCell({ hit: { score, score_breakdown: parts } }: { readonly hit: MemoryHit }) {
  const { t, format } = useMemoryText();
  const added = REASONS.filter((reason) => parts[reason] > 0);
  const words = added
    .toSorted((a, b) => parts[b] - parts[a])
    .map((reason) => t('score.part', { reason: t(`score.${reason}`), value: parts[reason] }));
  return (
    <div className={css['score']}>
      <strong>{format.number(score)}</strong>
      <span className={css['bar']} aria-hidden="true">
        {added.map((reason) => (
          <span
            key={reason}
            style={{ width: `${parts[reason] * 100}%`, background: reasonColour(reason) }}
          />
        ))}
      </span>
      <span className={css['small']}>{format.list(words)}</span>
    </div>
  );
}

/** What the colours of the bars mean. */
export function ScoreLegend() {
  const { t } = useMemoryText();
  return (
    <ul className={css['legend']} aria-label={t('score.legend')}>
      {REASONS.map((reason) => (
        <li key={reason}>
          <span className={css['swatch']} style={{ background: reasonColour(reason) }} />
          {t(`score.${reason}`)}
        </li>
      ))}
    </ul>
  );
}
