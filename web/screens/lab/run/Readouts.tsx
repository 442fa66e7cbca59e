import type { ReactNode } from 'react';
import { familyDescriptions } from '../../../../engine/index.ts';
import { useSampled } from '../../../widgets/canvas/use-sampled.ts';
import { Sparkline } from '../../../widgets/sparkline/Sparkline.tsx';
import { useLabForm } from '../fields-context.ts';
import { useLabText } from '../lab-text.ts';
import { pageLab, useLab } from '../lab-store.ts';
import css from './ControlBar.module.css';

/** Placeholder for an unknown number. */
const UNKNOWN = '–';

/** Rows of the speed that its line and its range look back on. */
const SPEED_ROWS = 120;

/** The three numbers one looks at while a model trains. */
export function Readouts() {
  const { t } = useLabText();
  const loss = useLab(({ progress }) => progress?.loss ?? Number.NaN);
  const validation = useLab((state) => state.validation?.loss ?? Number.NaN);
  return (
    <dl className={css['readouts']}>
      <Readout label={t('run.loss')}>{lossText(loss)}</Readout>
      <Readout label={t('run.validation')}>{lossText(validation)}</Readout>
      <Figures />
      <Speed />
    </dl>
  );
}

/** Further metrics of the family at the last validation. */
function Figures() {
  const { t, format } = useLabText();
  const figures = useLab((state) => state.validation?.figures);
  const accuracy = figures?.['accuracy'];
  const gated = figures?.['gated_spikes'];
  return (
    <>
      {accuracy !== undefined && (
        <Readout label={t('run.accuracy')}>{format.percent(accuracy)}</Readout>
      )}
      {gated !== undefined && <Readout label={t('run.gated')}>{format.percent(gated)}</Readout>}
    </>
  );
}

function Speed() {
  const { t, format } = useLabText();
  const { fields } = useLabForm();
  const isText = familyDescriptions[fields.architecture].category === 'LangText';
  const { speed } = pageLab().live;
  useSampled(speed, 500);
  const values = speed.window().y[0]?.subarray(-SPEED_ROWS) ?? new Float64Array(0);
  const now = values.at(-1);
  const range =
    values.length > 1
      ? t('run.speedRange', {
          low: roundTo3(Math.min(...values)),
          high: roundTo3(Math.max(...values)),
        })
      : undefined;
  return (
    <Readout label={t(isText ? 'run.speed' : 'run.exampleSpeed')}>
      <span title={range}>{now === undefined ? UNKNOWN : format.integer(roundTo3(now))}</span>
      {range && <span className="visually-hidden">{range}</span>}
      <Sparkline buffer={speed} rows={SPEED_ROWS} />
    </Readout>
  );
}

interface ReadoutProps {
  readonly label: string;
  readonly children: ReactNode;
}

function Readout({ label, children }: ReadoutProps) {
  return (
    <div className={css['readout']}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Always three decimals: the digits stand still while they change. */
function lossText(loss: number): string {
  return Number.isFinite(loss) ? loss.toFixed(3) : UNKNOWN;
}

function roundTo3(value: number): number {
  return Number(value.toPrecision(3));
}
