import { coefficientOfVariation, intervalsOf } from '../../../../engine/index.ts';
import type { CurveMark, FixedRange } from '../../../../engine/pictures.ts';
import type { NeuronLab } from '../../../neuron-lab/neuron-lab.ts';
import bench from '../../../ui/Workbench.module.css';
import { classNames } from '../../../ui/class-names.ts';
import { useSampled } from '../../../widgets/canvas/use-sampled.ts';
import { XyPlot } from '../../../widgets/xy-plot/XyPlot.tsx';
import css from '../Neurons.module.css';
import { type Choice, levelOf, otherStates } from '../neurons-fields.ts';
import { type NeuronsText, useNeuronsText } from '../neurons-text.ts';
import { useMemo } from 'react';

interface MembranePlotsProps {
  readonly lab: NeuronLab;
  readonly choice: Choice;
  /** ms */
  readonly duration: number;
}

const TRACE: readonly CurveMark[] = ['line', 'strokes'];
/** How often words follow the picture. */
const WORDS_EVERY_MS = 250;

/** The membrane potential with its spikes, the other states, and the input, over the same time. */
export function MembranePlots({ lab, choice, duration }: MembranePlotsProps) {
  const text = useNeuronsText();
  const { t, format } = text;
  const { model } = choice;
  const { buffers } = lab;
  useSampled(buffers.membrane, WORDS_EVERY_MS);
  const level = levelOf(choice);
  const levels = useMemo(() => (Number.isNaN(level) ? [] : [level]), [level]);
  const range = useMemo((): FixedRange => [0, duration], [duration]);
  const inTime = {
    label: t('plot.time'),
    write: (value: number) => t('plot.ms', { value: format.number(value) }),
    range,
  };
  const others = otherStates(model).map((index) => model.states[index]?.symbol ?? '');
  return (
    <>
      <div className={bench['card']}>
        <XyPlot
          // A plugin's host tells spikes and no potentials.
          title={t(choice.plugin ? 'plot.spikes' : 'plot.membrane')}
          buffer={buffers.membrane}
          names={[t('plot.membrane'), t('plot.spikes')]}
          marks={TRACE}
          levels={levels}
          x={inTime}
          y={useMembraneAxis(choice)}
          sentences={spikeSentences(text, lab.spikes, duration)}
        />
      </div>
      {others.length > 0 && (
        <div className={classNames(bench['card'], css['short'])}>
          <XyPlot
            title={t('plot.states')}
            level={3}
            buffer={buffers.others}
            names={others}
            x={inTime}
            y={{ label: t('plot.value'), write: format.number }}
          />
        </div>
      )}
      <div className={classNames(bench['card'], css['short'])}>
        <XyPlot
          title={t('plot.current')}
          level={3}
          buffer={buffers.current}
          names={[t('plot.current')]}
          x={inTime}
          y={{ label: t('knob.I'), write: format.number }}
        />
      </div>
    </>
  );
}

function useMembraneAxis({ model }: Choice) {
  const { t, format } = useNeuronsText();
  const { symbol = '', unit = '' } = model.states[0] ?? {};
  return unit === ''
    ? { label: t('plot.plain', { symbol }), write: format.number }
    : {
        label: t('plot.potential', { symbol, unit }),
        write: (value: number) => t('plot.withUnit', { value: format.number(value), unit }),
      };
}

/** Firing statistics in words: spike count and regularity. */
function spikeSentences(
  { t, format }: NeuronsText,
  spikes: ArrayLike<number> | undefined,
  duration: number,
): string[] {
  if (!spikes) return [];
  if (spikes.length === 0) return [t('said.silent', { duration })];
  const latency = format.number(spikes[0] ?? Number.NaN);
  const said = t('said.spikes', { count: spikes.length, duration, latency });
  const train = Array.from(spikes);
  const intervals = intervalsOf(train);
  if (intervals.length === 0) return [said];
  const mean = intervals.reduce((sum, interval) => sum + interval, 0) / intervals.length;
  const variation = coefficientOfVariation(train) ?? Number.NaN;
  return [
    said,
    t('said.intervals', { mean: format.number(mean), variation: format.number(variation) }),
  ];
}
