import { useEffect } from 'react';
import type { Curve, CurveMark, FixedRange } from '../../../../engine/pictures.ts';
import { criticalCoupling } from '../../../neuron-lab/measurements.ts';
import { SliderField } from '../../../ui/SliderField.tsx';
import { useSampled } from '../../../widgets/canvas/use-sampled.ts';
import { XyPlot } from '../../../widgets/xy-plot/XyPlot.tsx';
import { type ChangeNeurons, RULES } from '../neurons-fields.ts';
import bench from '../../../ui/Workbench.module.css';
import css from '../Neurons.module.css';
import { useNeuronsText, type NeuronsText } from '../neurons-text.ts';
import { pageMeasurements } from '../neuron-lab-store.ts';
import { Note } from '../../../ui/Layout.tsx';

interface SynchronyPanelProps {
  /** Of the natural frequencies, rad/ms. */
  readonly spread: number;
  readonly onChange: ChangeNeurons;
}

const MARKS: readonly CurveMark[] = ['linked-dots'];
const WHOLE: FixedRange = [0, 1];
const SPREADS = [0.005, 0.1] as const;
const SEED = 1;
/** Couplings up to this many times the critical one. */
const BEYOND = 3;
const WORDS_EVERY_MS = 250;

/** How far neurons fall into step with each other, over the strength of their coupling. */
export function SynchronyPanel({ spread, onChange }: SynchronyPanelProps) {
  const text = useNeuronsText();
  const { t, format } = text;
  const { buffers, measureSynchrony } = pageMeasurements();
  useEffect(
    () => measureSynchrony({ spread, seed: SEED, highest: BEYOND * criticalCoupling(spread) }),
    [measureSynchrony, spread],
  );
  useSampled(buffers.synchrony, WORDS_EVERY_MS);
  return (
    <div className={bench['card']}>
      <XyPlot
        title={t('synchrony.title')}
        buffer={buffers.synchrony}
        names={[t('synchrony.order')]}
        marks={MARKS}
        x={{ label: t('synchrony.coupling'), write: format.number }}
        y={{ label: t('synchrony.order'), write: format.number, range: WHOLE }}
        sentences={synchronySentences(text, buffers.synchrony.curves[0], spread)}
      />
      <Note>{t('synchrony.note')}</Note>
      <div className={`${bench['fields']} ${css['knobs']}`}>
        <SliderField
          label={t('synchrony.spread')}
          value={spread}
          rule={RULES.spread}
          range={SPREADS}
          step={0.001}
          valueText={format.number(spread)}
          onChange={(next) => onChange({ spread: next })}
        />
      </div>
    </div>
  );
}

function synchronySentences(
  { t, format }: NeuronsText,
  curve: Curve | undefined,
  spread: number,
): string[] {
  if (!curve) return [];
  const { x, y } = curve;
  const last = x.length - 1;
  return [
    t('synchrony.said', {
      first: format.number(y[0] ?? Number.NaN),
      last: format.number(y[last] ?? Number.NaN),
      highest: format.number(x[last] ?? Number.NaN),
      critical: format.number(criticalCoupling(spread)),
    }),
  ];
}
