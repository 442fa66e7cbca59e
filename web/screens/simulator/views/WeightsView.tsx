import { plasticProjections } from '../../../simulator/raster-layout.ts';
import { useMemo, useState } from 'react';
import { projectionName, type SimulationDescription } from '../../../../engine/index.ts';
import { binValues } from '../../../../engine/pictures.ts';
import { SelectField } from '../../../ui/SelectField.tsx';
import { ValueHistogram } from '../../../widgets/value-histogram/ValueHistogram.tsx';
import bench from '../../../ui/Workbench.module.css';
import { useSimulatorText } from '../simulator-text.ts';
import { useSimulator } from '../simulator-store.ts';

const BINS = 40;
const NO_WEIGHTS = new Float32Array();

/** How the weights of a plastic projection are spread; nothing where no weight changes. */
export function WeightsView({ description }: { readonly description: SimulationDescription }) {
  const { t, format } = useSimulatorText();
  const figures = useSimulator((simulator) => simulator.figures);
  const [chosen, choose] = useState('');
  const names = plasticProjections(description).map(projectionName);
  const index = Math.max(0, names.indexOf(chosen));
  const weights = figures?.weights[index] ?? NO_WEIGHTS;
  const bins = useMemo(() => binValues(weights, rangeOf(weights)), [weights]);
  if (names.length === 0) return null;
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
  return (
    <div className={bench['card']}>
      <ValueHistogram
        title={t('view.weights')}
        bins={bins}
        label={t('view.weight')}
        write={format.number}
        sentences={
          weights.length === 0
            ? []
            : [t('view.saidWeights', { count: weights.length, mean: format.number(mean) })]
        }
        controls={
          names.length > 1 && (
            <SelectField
              label={t('view.projection')}
              options={names.map((value) => ({ value, label: value }))}
              value={names[index] ?? ''}
              onChange={choose}
            />
          )
        }
      />
    </div>
  );
}

/** From the least to the most, zero included. */
function rangeOf(weights: Float32Array) {
  const from = weights.reduce((low, weight) => Math.min(low, weight), 0);
  const to = weights.reduce((high, weight) => Math.max(high, weight), 0);
  return { from, to: to > from ? to : from + 1, bins: BINS };
}
