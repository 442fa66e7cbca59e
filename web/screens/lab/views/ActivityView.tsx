import type { LayerActivity } from '../../../../engine/index.ts';
import { classNames } from '../../../ui/class-names.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import type { ValidationFacts } from '../../../lab/protocol.ts';
import { Histogram } from '../../../widgets/histogram/Histogram.tsx';
import { useLabText } from '../lab-text.ts';
import { useLab, useObservation } from '../lab-store.ts';
import { ratesOf } from './activity-rates.ts';
import { DeadWarning } from './DeadWarning.tsx';
import { LayerSelect } from './LayerSelect.tsx';
import { LayersTable } from './LayersTable.tsx';
import css from './Views.module.css';
import { Grid, Note, Stack } from '../../../ui/Layout.tsx';

/** How often the neurons of each layer fire on data that is not learned from. */
export function ActivityView() {
  const { t } = useLabText();
  const validation = useLab((state) => state.validation);
  const [first] = validation?.layers ?? [];
  if (validation && first) return <Activity validation={validation} first={first} />;
  const reason = validation ? 'views.noSpikes' : 'views.noRates';
  return (
    <div className={css['wide']}>
      <Panel title={t('views.rates')}>
        <EmptyState icon="plot" title={t(reason)}>
          {t(`${reason}Help`)}
        </EmptyState>
      </Panel>
    </div>
  );
}

interface ActivityProps {
  readonly validation: ValidationFacts;
  /** Shown until another one is chosen. */
  readonly first: LayerActivity;
}

function Activity({ validation: { layers, step }, first }: ActivityProps) {
  const { t } = useLabText();
  const layer = useObservation((state) => state.layer);
  const shown = layers.find(({ name }) => name === layer) ?? first;
  return (
    <div className={classNames(css['card'], css['wide'])}>
      <Grid min="19rem" gap={[4, 6]} align="start">
        <Histogram
          title={t('views.rates')}
          rates={ratesOf(shown)}
          controls={<LayerSelect layers={layers.map(({ name }) => name)} />}
        />
        <Stack gap={3}>
          <DeadWarning layers={layers} />
          <h3>{t('views.allLayers')}</h3>
          <div className={css['layersTable']}>
            <LayersTable layers={layers} />
          </div>
          <Note style={{ overflowWrap: 'anywhere' }}>{t('views.atStep', { step })}</Note>
        </Stack>
      </Grid>
    </div>
  );
}
