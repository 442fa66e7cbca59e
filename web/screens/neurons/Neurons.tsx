import { Grid } from '../../ui/Layout.tsx';
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { useUrlState } from '../../url-state/use-url-state.ts';
import bench from '../../ui/Workbench.module.css';
import { choiceOf, EQUATIONS, explorationOf, FIELDS, isIzhikevich, OWN } from './neurons-fields.ts';
import { faultOf, useNeuronsText } from './neurons-text.ts';
import { SynchronyPanel } from './measurements/SynchronyPanel.tsx';
import { WindowPanel } from './measurements/WindowPanel.tsx';
import { MembranePlots } from './plots/MembranePlots.tsx';
import { PlanePlot } from './plots/PlanePlot.tsx';
import { RatePlot } from './plots/RatePlot.tsx';
import { EquationsPanel } from './setup/EquationsPanel.tsx';
import { InputPanel } from './setup/InputPanel.tsx';
import { ModelPanel } from './setup/ModelPanel.tsx';
import { OwnModelPanel } from './setup/OwnModelPanel.tsx';
import { ownModel } from './own-model.ts';
import { pageNeuronLab, readWritten, runnerOf, writtenNeuron } from './neuron-lab-store.ts';

/** Pick a neuron, move its parameters, and see its membrane potential and its spikes at once. */
export function Neurons() {
  const { t } = useNeuronsText();
  const [fields, change] = useUrlState(FIELDS);
  const own = useStore(ownModel, (state) => state.facts);
  const written = useStore(writtenNeuron, (state) => state.written);
  const choice = useMemo(
    () => choiceOf({ model: fields.model, p: fields.p }, { own, written }),
    [fields.model, fields.p, own, written],
  );
  const isWritten = fields.model === EQUATIONS;
  useEffect(() => {
    if (isWritten) readWritten(fields.eq);
  }, [isWritten, fields.eq]);
  const isUnread = isWritten && written === null;
  const lab = pageNeuronLab();
  useEffect(() => {
    if (!isUnread) lab.explore({ ...explorationOf(fields, choice), runner: runnerOf(choice) });
  }, [lab, fields, choice, isUnread]);
  const message = useStore(lab.failure, (state) => state.message);
  return (
    <Screen lead={t('neurons.lead')} width="wide">
      {message !== null && <ErrorState error={new Error(t('said.failed', { message }))} />}
      <div className={bench['bench']}>
        <div className={bench['setup']}>
          <ModelPanel name={fields.model} own={own} choice={choice} onChange={change} />
          {isWritten && <EquationsPanel text={fields.eq} onChange={change} />}
          <InputPanel fields={fields} choice={choice} onChange={change} />
          <OwnModelPanel onOpen={() => change({ model: OWN, p: '' })} />
        </div>
        <div className={bench['views']}>
          {isUnread ? (
            <UnreadCard />
          ) : (
            <>
              <MembranePlots lab={lab} choice={choice} duration={fields.ms} />
              <Grid min="20rem" gap={4}>
                <RatePlot lab={lab} />
                {isIzhikevich(choice.model) && <PlanePlot lab={lab} choice={choice} />}
              </Grid>
            </>
          )}
          <Grid min="20rem" gap={4}>
            <WindowPanel fields={fields} onChange={change} />
            <SynchronyPanel spread={fields.spread} onChange={change} />
          </Grid>
        </div>
      </div>
    </Screen>
  );
}

/** Equations that cannot be read have no traces: the editor says why. */
function UnreadCard() {
  const text = useNeuronsText();
  const message = useStore(writtenNeuron, (state) => state.message);
  if (message === null) return null;
  return (
    <div className={bench['card']}>
      <EmptyState icon="error" title={text.t('equations.unread')}>
        <p>{faultOf(text, message).error}</p>
      </EmptyState>
    </div>
  );
}
