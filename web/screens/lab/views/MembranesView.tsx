import { Panel } from '../../../ui/Panel.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { useChartText } from '../../../widgets/chart/chart-text.ts';
import { MembraneTraces } from '../../../widgets/membrane-traces/MembraneTraces.tsx';
import { useLabText } from '../lab-text.ts';
import { pageLab } from '../lab-store.ts';
import { ProbeAxis } from './ProbeAxis.tsx';
import { markOf } from './probe-words.ts';
import { useView } from './use-view.ts';
import { Note } from '../../../ui/Layout.tsx';
import css from './Views.module.css';

/** The membranes of a few neurons of the layer, with the threshold they cross. */
export function MembranesView() {
  const { t } = useLabText();
  const charts = useChartText();
  const { view, probe } = useView();
  if (!view?.traces) {
    return (
      <Panel title={t('views.membranes')}>
        <EmptyState icon="lab" title={t('views.none')}>
          {t(view ? 'views.membraneHint' : 'views.noneHelp')}
        </EmptyState>
      </Panel>
    );
  }
  const { traces, neurons, threshold } = view;
  const steps = traces.capacity / probe.length;
  const nameStep = (time: number) =>
    t('views.probeStep', {
      character: markOf(probe[Math.floor(time / steps)] ?? ''),
      step: (time % steps) + 1,
      steps,
    });
  return (
    <div className={css['card']}>
      <MembraneTraces
        title={t('views.membranes')}
        buffer={traces}
        thresholds={threshold}
        names={neurons.map((neuron) => charts.t('traces.neuron', { neuron: String(neuron) }))}
        columns={traces.capacity}
        state="stopped"
        lanes={neurons.map((neuron) => (
          <DrawnNeuron key={neuron} neuron={neuron} />
        ))}
        axis={<ProbeAxis characters={probe} />}
        nameStep={nameStep}
      />
      <Note style={{ overflowWrap: 'anywhere' }}>{t('views.membraneHint')}</Note>
    </div>
  );
}

/** The number of a neuron that is drawn: a button that takes it away. */
function DrawnNeuron({ neuron }: { readonly neuron: number }) {
  const { t } = useLabText();
  const label = t('views.removeNeuron', { neuron: String(neuron) });
  return (
    <button
      type="button"
      className={css['chip']}
      aria-label={label}
      title={label}
      onClick={() => pageLab().observation.toggleNeuron(neuron)}
    >
      {neuron}
      <Icon name="close" size="small" />
    </button>
  );
}
