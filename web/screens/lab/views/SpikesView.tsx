import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { SpikeRaster } from '../../../widgets/spike-raster/SpikeRaster.tsx';
import { useLabText } from '../lab-text.ts';
import { pageLab } from '../lab-store.ts';
import { LayerSelect } from './LayerSelect.tsx';
import { ProbeAxis } from './ProbeAxis.tsx';
import { probeLine } from './probe-words.ts';
import { useView } from './use-view.ts';
import { Note } from '../../../ui/Layout.tsx';
import css from './Views.module.css';

/** Which neuron of the layer fires at which character. */
export function SpikesView() {
  const { t } = useLabText();
  const { view, probe, layers } = useView();
  if (!view) {
    return (
      <Panel title={t('views.spikes')}>
        <EmptyState icon="lab" title={t('views.none')}>
          {t('views.noneHelp')}
        </EmptyState>
      </Panel>
    );
  }
  return (
    <div className={css['card']}>
      <SpikeRaster
        title={t('views.spikes')}
        buffer={view.spikes}
        columns={view.spikes.capacity}
        // Each look replaces the one before: nothing scrolls.
        state="stopped"
        controls={<LayerSelect layers={layers} />}
        axis={<ProbeAxis characters={probe} />}
        marked={view.neurons}
        onChoose={pageLab().observation.toggleNeuron}
      />
      <Note style={{ overflowWrap: 'anywhere' }}>
        {t('views.probe', { text: probeLine(probe) })}
      </Note>
    </div>
  );
}
