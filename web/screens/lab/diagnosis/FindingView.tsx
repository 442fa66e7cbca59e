import type { Evidence, Finding } from '../../../../engine/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { Note } from '../../../ui/Layout.tsx';
import { useDiagnosisText } from './diagnosis-text.ts';
import css from './Diagnosis.module.css';

/** Starts a run of its own with another rate, made of the one that was looked at in a step. */
export type StartRemedy = (remedy: {
  readonly rate: number;
  readonly from: NonNullable<Finding['remedy']>['from'];
  readonly step: number;
}) => void;

interface FindingProps {
  readonly finding: Finding;
  /** At which the run was looked at. */
  readonly step: number;
  readonly nameOf: (layer: string) => string;
  readonly start: StartRemedy;
}

/** One cause with its evidence, and a button for the remedy. */
export function FindingView({ finding, step, nameOf, start }: FindingProps) {
  const { t } = useDiagnosisText();
  const { cause, layer = '', evidence, remedy } = finding;
  return (
    <div className={css['finding']}>
      <Icon name="error" />
      <div className={css['words']}>
        <p className={css['cause']}>{t(`cause.${cause}`, { layer: nameOf(layer) })}</p>
        <ul>
          {evidence.map((one) => (
            <li key={one.figure}>
              <EvidenceView evidence={one} />
            </li>
          ))}
        </ul>
        {remedy ? (
          <RemedyView {...{ remedy, step, start }} />
        ) : (
          <Note>{t('diagnosis.noRemedy')}</Note>
        )}
      </div>
    </div>
  );
}

function EvidenceView({
  evidence: { figure, value, least, most },
}: {
  readonly evidence: Evidence;
}) {
  const { t } = useDiagnosisText();
  return (
    <>
      {t('diagnosis.evidence', { figure: t(`figure.${figure}`), value: digits(value) })}
      {least !== undefined && ` ${t('diagnosis.least', { limit: digits(least) })}`}
      {most !== undefined && ` ${t('diagnosis.most', { limit: digits(most) })}`}
    </>
  );
}

interface RemedyProps extends Pick<FindingProps, 'step' | 'start'> {
  readonly remedy: NonNullable<Finding['remedy']>;
}

function RemedyView({ remedy: { changes, from }, step, start }: RemedyProps) {
  const { t } = useDiagnosisText();
  const rate = changes.find(({ setting }) => setting === 'learning-rate')?.to;
  if (rate === undefined) return null;
  return (
    <>
      <Note>{t(from === 'checkpoint' ? 'diagnosis.fromCheckpoint' : 'diagnosis.fromNew')}</Note>
      <Button tone="primary" icon="play" onClick={() => start({ rate, from, step })}>
        {t('diagnosis.start', { rate: digits(rate) })}
      </Button>
    </>
  );
}

/** Three digits, also of very small numbers. */
const digits = (value: number): string => String(Number(value.toPrecision(3)));
