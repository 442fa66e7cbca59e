import type { Floor, Verdict } from '../../../../engine/index.ts';
import { useLabText } from '../lab-text.ts';

/** The result beside its floors, and the likely reason where it is above the simplest. */
export function VerdictLines({ verdict }: { readonly verdict: Verdict }) {
  const { t, format } = useLabText();
  const { floor, next, reached, isBeaten, cause } = verdict;
  const written = (value: number) =>
    floor.figure === 'loss'
      ? t('verdict.nats', { value: value.toFixed(3) })
      : format.percent(value);
  const named = ({ name, value }: Floor) => ({ floor: t(`floor.${name}`), value: written(value) });
  return (
    <>
      <p>
        {t(isBeaten ? 'verdict.beaten' : 'verdict.missed', {
          ...named(floor),
          reached: written(reached),
        })}
        {next && ` ${t('verdict.next', named(next))}`}
      </p>
      {cause && (
        <p>
          {t('verdict.cause')} <span lang="en">{`${cause.text}.`}</span>
        </p>
      )}
    </>
  );
}
