import type { Curve, CurveMark } from '../../../../engine/pictures.ts';
import type { NeuronLab } from '../../../neuron-lab/neuron-lab.ts';
import { useSampled } from '../../../widgets/canvas/use-sampled.ts';
import { XyPlot } from '../../../widgets/xy-plot/XyPlot.tsx';
import bench from '../../../ui/Workbench.module.css';
import { useNeuronsText, type NeuronsText } from '../neurons-text.ts';

const MARKS: readonly CurveMark[] = ['linked-dots'];
const WORDS_EVERY_MS = 250;

/** How often the neuron fires at each constant current. */
export function RatePlot({ lab }: { readonly lab: NeuronLab }) {
  const text = useNeuronsText();
  const { t, format } = text;
  const { rates } = lab.buffers;
  useSampled(rates, WORDS_EVERY_MS);
  return (
    <div className={bench['card']}>
      <XyPlot
        title={t('plot.rates')}
        buffer={rates}
        names={[t('plot.rates')]}
        marks={MARKS}
        x={{ label: t('knob.I'), write: format.number }}
        y={{
          label: t('plot.rate'),
          write: (value) => t('plot.hertz', { value: format.number(value) }),
        }}
        sentences={rateSentences(text, rates.curves[0])}
      />
    </div>
  );
}

/** Up to which current the neuron is silent, and how often it fires at the highest. */
function rateSentences({ t, format }: NeuronsText, curve: Curve | undefined): string[] {
  if (!curve) return [];
  const { x, y } = curve;
  const last = x.length - 1;
  const current = format.number(x[last] ?? Number.NaN);
  const first = Array.from(y).findIndex((rate) => rate > 0);
  if (first < 0) return [t('said.allSilent', { current })];
  return [
    t('said.rates', {
      rheobase: format.number(x[Math.max(0, first - 1)] ?? Number.NaN),
      highest: t('plot.hertz', { value: format.number(y[last] ?? Number.NaN) }),
      current,
    }),
  ];
}
