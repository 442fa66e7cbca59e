import type { Cause, Floor, Verdict } from '../../../../engine/index.ts';
import { type LabText, useLabText } from '../lab-text.ts';

/** The result beside its floors, and the likely reason where it is above the simplest. */
export function VerdictLines({ verdict }: { readonly verdict: Verdict }) {
  const text = useLabText();
  const { t, format } = text;
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
      {cause && <p>{causeWords(cause, text)}</p>}
    </>
  );
}

function causeWords(cause: Cause, { t, format: { number, integer } }: LabText): string {
  switch (cause.name) {
    case 'rate-too-high': {
      const { name, rate, from, to } = cause;
      return t(`cause.${name}`, { rate: String(rate), from: number(from), to: number(to) });
    }
    case 'learned-by-heart': {
      const { name, epochs, loss } = cause;
      return t(`cause.${name}`, { epochs: number(epochs), loss: number(loss) });
    }
    case 'too-few-steps': {
      const { name, steps, items, parameters } = cause;
      return t(`cause.${name}`, {
        steps: integer(steps),
        items: integer(items),
        parameters: integer(parameters),
      });
    }
    case 'hardly-moved': {
      const { name, steps, rate, from, to } = cause;
      return t(`cause.${name}`, {
        steps: integer(steps),
        rate: String(rate),
        from: number(from),
        to: number(to),
      });
    }
    case 'budget-spent': {
      const { name, steps, from, to } = cause;
      return t(`cause.${name}`, { steps: integer(steps), from: number(from), to: number(to) });
    }
  }
}
