import { classNames } from '../../../ui/class-names.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import type { ValidationFacts } from '../../../lab/protocol.ts';
import { Histogram } from '../../../widgets/histogram/Histogram.tsx';
import { useLabText } from '../lab-text.ts';
import { useLab, useLooking } from '../the-lab.ts';
import { ratesOf } from './activity-rates.ts';
import { DeadWarning } from './DeadWarning.tsx';
import { LayerSelect } from './LayerSelect.tsx';
import { LayersTable } from './LayersTable.tsx';
import css from './Views.module.css';

/** How often the neurons of each layer fire on text that is not learned from. */
export function ActivityView() {
  const { t } = useLabText();
  const validation = useLab((state) => state.validation);
  if (!validation) {
    return (
      <div className={css['wide']}>
        <Panel title={t('views.rates')}>
          <EmptyState icon="plot" title={t('views.noRates')}>
            {t('views.noRatesHelp')}
          </EmptyState>
        </Panel>
      </div>
    );
  }
  return <Activity validation={validation} />;
}

function Activity({ validation }: { readonly validation: ValidationFacts }) {
  const { t } = useLabText();
  const layer = useLooking((state) => state.layer);
  const { layers, step } = validation;
  const shown = layers.find(({ name }) => name === layer) ?? layers[0];
  return (
    <div className={classNames(css['card'], css['wide'])}>
      <div className={css['activity']}>
        {shown && (
          <Histogram title={t('views.rates')} rates={ratesOf(shown)} controls={<LayerSelect />} />
        )}
        <div className={css['layersPart']}>
          <DeadWarning layers={layers} />
          <h3>{t('views.allLayers')}</h3>
          <div className={css['layersTable']}>
            <LayersTable layers={layers} />
          </div>
          <p className={css['probe']}>{t('views.atStep', { step })}</p>
        </div>
      </div>
    </div>
  );
}
