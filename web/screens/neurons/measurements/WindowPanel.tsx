import { useEffect, useMemo } from 'react';
import type { Curve, CurveMark } from '../../../../engine/pictures.ts';
import { useStore } from 'zustand';
import { type KnobValues, readKnobs, stepOf, writeKnobs } from '../../../neuron-lab/knobs.ts';
import {
  FREQUENCY,
  RULE_KNOBS,
  RULE_NAMES,
  TRIPLET_PAIRINGS,
} from '../../../neuron-lab/plasticity-knobs.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { SliderField } from '../../../ui/SliderField.tsx';
import { useSampled } from '../../../widgets/canvas/use-sampled.ts';
import { XyPlot } from '../../../widgets/xy-plot/XyPlot.tsx';
import type { ChangeNeurons, NeuronsFields } from '../neurons-fields.ts';
import bench from '../../../ui/Workbench.module.css';
import css from '../Neurons.module.css';
import { useNeuronsText, type NeuronsText } from '../neurons-text.ts';
import { pageMeasurements } from '../neuron-lab-store.ts';
import { Note } from '../../../ui/Layout.tsx';

interface WindowPanelProps {
  readonly fields: Pick<NeuronsFields, 'rule' | 'w'>;
  readonly onChange: ChangeNeurons;
}

const MARKS: readonly CurveMark[] = ['linked-dots'];
const ZERO: readonly number[] = [0];
const WORDS_EVERY_MS = 250;

/** How a synapse changes with the time between its spikes, measured and not drawn from the formula. */
export function WindowPanel({ fields: { rule, w }, onChange }: WindowPanelProps) {
  const text = useNeuronsText();
  const { t, format } = text;
  const { buffers, failure, measureWindow } = pageMeasurements();
  const knobs = RULE_KNOBS[rule];
  const values = useMemo(() => readKnobs(knobs, w), [knobs, w]);
  useEffect(() => measureWindow(requestOf(rule, values)), [measureWindow, rule, values]);
  useSampled(buffers.window, WORDS_EVERY_MS);
  const message = useStore(failure, (state) => state.message);
  return (
    <div className={bench['card']}>
      <XyPlot
        title={t('window.title')}
        buffer={buffers.window}
        names={[t('window.change')]}
        marks={MARKS}
        levels={ZERO}
        x={{
          label: t('window.delay'),
          write: (value) => t('plot.ms', { value: format.number(value) }),
        }}
        y={{ label: t('window.change'), write: format.number }}
        sentences={windowSentences(text, buffers.window.curves[0])}
      />
      <Note>{t('window.note')}</Note>
      {message !== null && <ErrorState error={new Error(message)} />}
      <div className={`${bench['fields']} ${css['knobs']}`}>
        <SelectField
          label={t('window.rule')}
          options={RULE_NAMES.map((value) => ({ value, label: t(`window.${value}`) }))}
          value={rule}
          onChange={(next) => onChange({ rule: next, w: '' })}
        />
        {knobs.map(({ name, initial, minimum: min, maximum: max, range }) => (
          <SliderField
            key={name}
            label={t(LABELS[name as keyof typeof LABELS])}
            value={values[name] ?? initial}
            rule={{ kind: 'decimal', min, max }}
            range={range}
            step={stepOf(range)}
            valueText={format.number(values[name] ?? initial)}
            onChange={(value) => onChange({ w: writeKnobs(knobs, { ...values, [name]: value }) })}
          />
        ))}
      </div>
    </div>
  );
}

const LABELS = {
  amplitudePlus: 'window.amplitudePlus',
  amplitudeMinus: 'window.amplitudeMinus',
  tauPlus: 'window.tauPlus',
  tauMinus: 'window.tauMinus',
  frequency: 'window.frequency',
} as const;

/** A pair is enough for the pair rule; triplets need trains. */
function requestOf(rule: NeuronsFields['rule'], values: KnobValues) {
  const { [FREQUENCY]: frequency = 1, ...parameters } = values;
  const pairings = rule === 'stdp' ? 1 : TRIPLET_PAIRINGS;
  return { rule, parameters, pairings, frequency };
}

/** Between which changes the window lies, and at which delays they are. */
function windowSentences({ t, format }: NeuronsText, curve: Curve | undefined): string[] {
  if (!curve) return [];
  const changes = Array.from(curve.y);
  const [low, high] = [Math.min(...changes), Math.max(...changes)];
  const delayOf = (change: number) =>
    t('plot.ms', { value: format.number(curve.x[changes.indexOf(change)] ?? Number.NaN) });
  return [
    t('window.said', {
      low: format.number(low),
      high: format.number(high),
      growing: delayOf(high),
      shrinking: delayOf(low),
    }),
  ];
}
