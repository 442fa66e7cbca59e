import type { CurveMark, FixedRange } from '../../../../engine/pictures.ts';
import { fixedPoints } from '../../../neuron-lab/izhikevich-plane.ts';
import { INPUT } from '../../../neuron-lab/knobs.ts';
import type { NeuronLab } from '../../../neuron-lab/neuron-lab.ts';
import { XyPlot } from '../../../widgets/xy-plot/XyPlot.tsx';
import bench from '../../../ui/Workbench.module.css';
import type { Choice } from '../neurons-fields.ts';
import { useNeuronsText, type NeuronsText } from '../neurons-text.ts';

interface PlanePlotProps {
  readonly lab: NeuronLab;
  readonly choice: Choice;
}

const MARKS: readonly CurveMark[] = ['line', 'line', 'line', 'dots'];
/** mV: rest and reset lie within, and the peak at the right end. */
const V: FixedRange = [-90, 35];
const U: FixedRange = [-25, 25];
const TRAJECTORY = { curve: 0, along: 'plane' } as const;

/** Izhikevich's two variables against each other, with the lines on which each stands still. */
export function PlanePlot({ lab, choice }: PlanePlotProps) {
  const text = useNeuronsText();
  const { t, format } = text;
  const inMillivolts = (value: number) =>
    t('plot.withUnit', { value: format.number(value), unit: 'mV' });
  return (
    <div className={bench['card']}>
      <XyPlot
        title={t('plot.plane')}
        buffer={lab.buffers.plane}
        names={[
          t('plot.trajectory'),
          t('plot.vNullcline'),
          t('plot.uNullcline'),
          t('plot.fixedPoints'),
        ]}
        marks={MARKS}
        x={{
          label: t('plot.potential', { symbol: 'v', unit: 'mV' }),
          write: inMillivolts,
          range: V,
        }}
        y={{ label: t('plot.recovery'), write: inMillivolts, range: U }}
        read={TRAJECTORY}
        sentences={planeSentences(text, choice)}
      />
    </div>
  );
}

/** The fixed points at the amplitude of the input. */
function planeSentences({ t, format }: NeuronsText, { values }: Choice): string[] {
  const at = { b: values['b'] ?? 0, current: values[INPUT] ?? 0 };
  const points = fixedPoints(at, values['a'] ?? 0);
  if (points.length === 0) return [t('said.noFixedPoint')];
  return points.map(({ kind, v, u }) =>
    t('said.fixedPoint', {
      kind: t(`kind.${kind}`),
      v: format.number(v),
      u: format.number(u),
    }),
  );
}
