import type { Evidence, Finding } from '../../../../engine/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { Note } from '../../../ui/Layout.tsx';
import { layerWords } from '../../../widgets/spike-raster/layer-words.ts';
import { useLabForm } from '../fields-context.ts';
import { settingsFrom } from '../lab-fields.ts';
import { pageLab } from '../lab-store.ts';
import { useRunRequest } from '../run/use-run.ts';
import { useDiagnosisText } from './diagnosis-text.ts';
import css from './Diagnosis.module.css';

interface FindingProps {
  readonly finding: Finding;
  /** At which the run was looked at. */
  readonly step: number;
}

/** One cause with its evidence, and a button for the remedy. */
export function FindingView({ finding, step }: FindingProps) {
  const text = useDiagnosisText();
  const { t } = text;
  const { cause, layer = '', evidence, remedy } = finding;
  return (
    <div className={css['finding']}>
      <Icon name="error" />
      <div className={css['words']}>
        <p className={css['cause']}>{t(`cause.${cause}`, { layer: layerWords(text, layer) })}</p>
        <ul>
          {evidence.map((one) => (
            <li key={one.figure}>
              <EvidenceView evidence={one} />
            </li>
          ))}
        </ul>
        {remedy ? (
          <RemedyView remedy={remedy} step={step} />
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

interface RemedyProps {
  readonly remedy: NonNullable<Finding['remedy']>;
  readonly step: number;
}

/** Starts a run of its own: the form gets its rate, and the run before keeps its values. */
function RemedyView({ remedy: { changes, from }, step }: RemedyProps) {
  const { t } = useDiagnosisText();
  const { fields, model, changeModel } = useLabForm();
  const request = useRunRequest();
  const rate = changes.find(({ setting }) => setting === 'learning-rate')?.to;
  if (rate === undefined) return null;
  const start = () => {
    const { learningRate } = request.settings;
    changeModel({ learning_rate: rate });
    const settings = settingsFrom(fields, { ...model, learning_rate: rate });
    const begin = from === 'checkpoint' ? 'weights' : 'start';
    pageLab().trainAnew({ ...request, settings }, begin, { step, learningRate });
  };
  return (
    <>
      <Note>{t(from === 'checkpoint' ? 'diagnosis.fromCheckpoint' : 'diagnosis.fromNew')}</Note>
      <Button tone="primary" icon="play" onClick={start}>
        {t('diagnosis.start', { rate: digits(rate) })}
      </Button>
    </>
  );
}

/** Three digits, also of very small numbers. */
const digits = (value: number): string => String(Number(value.toPrecision(3)));
