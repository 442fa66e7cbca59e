import { useQuery } from '@tanstack/react-query';
import type { CapacityAnswer, Placement } from '../../../../edge/training/contract/capacity.ts';
import { capacityQuery } from '../../../api/training.ts';
import { Badge, type BadgeTone } from '../../../ui/Badge.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { useSettled } from '../../../ui/use-settled.ts';
import { type JobsText, useJobsText } from '../jobs-text.ts';
import type { JobRequestInput } from './job-form.ts';
import css from './NewJob.module.css';

/** Asked once the form stands still this long. */
const TYPING_MS = 400;

export interface CapacityLineProps {
  /** Undefined while there is not enough to ask with. */
  readonly request: JobRequestInput | undefined;
}

/** What the job would need, and who could train it. */
export function CapacityLine({ request }: CapacityLineProps) {
  const { t } = useJobsText();
  // Equal requests are one: the form makes a new object with every rendering.
  const settled = useSettled(request ? JSON.stringify(request) : '', TYPING_MS);
  return (
    <section className={css['capacity']} aria-label={t('capacity.title')} aria-live="polite">
      {settled === '' ? (
        <p className={css['note']}>{t('capacity.later')}</p>
      ) : (
        <Asked request={settled} />
      )}
    </section>
  );
}

function Asked({ request }: { readonly request: string }) {
  const { t } = useJobsText();
  const { data, error } = useQuery({
    ...capacityQuery(JSON.parse(request) as JobRequestInput),
    placeholderData: (before) => before,
  });
  if (error) return <ErrorState error={error} />;
  return data ? <Answer answer={data} /> : <p className={css['note']}>{t('capacity.asking')}</p>;
}

type Verdict = 'fits' | 'waits' | 'tooLarge';
const TONES: Readonly<Record<Verdict, BadgeTone>> = {
  fits: 'good',
  waits: 'warn',
  tooLarge: 'bad',
};

function Answer({ answer }: { readonly answer: CapacityAnswer }) {
  const text = useJobsText();
  const { t, format } = text;
  const { capacity, candidates } = answer;
  const taking = candidates.filter(({ excluded }) => excluded === null);
  const verdict = !capacity.fits ? 'tooLarge' : taking.length > 0 ? 'fits' : 'waits';
  return (
    <>
      <p className={css['verdict']}>
        <Badge tone={TONES[verdict]}>{t(`capacity.${verdict}`)}</Badge>
        <span>{t('capacity.needs', { size: format.bytes(capacity.required_bytes) })}</span>
      </p>
      {taking.length > 0 ? (
        <p className={css['note']}>{takersWords(text, taking)}</p>
      ) : (
        <Excluded candidates={candidates} />
      )}
    </>
  );
}

function takersWords({ t, format }: JobsText, taking: readonly Placement[]): string {
  const names = taking.slice(0, 3).map(({ name, device }) => t('capacity.taker', { name, device }));
  return t('capacity.takers', { count: taking.length, names: format.list(names) });
}

/** Why nobody takes it now, in the service's own words. */
function Excluded({ candidates }: { readonly candidates: readonly Placement[] }) {
  const { t } = useJobsText();
  if (candidates.length === 0) return <p className={css['note']}>{t('capacity.nobody')}</p>;
  return (
    <ul className={css['note']} lang="en">
      {candidates.slice(0, 5).map(({ trainer_id, name, excluded }) => (
        <li key={trainer_id}>{t('capacity.excluded', { name, why: excluded ?? '' })}</li>
      ))}
    </ul>
  );
}
