import { useEffect, useMemo, useState } from 'react';
import type { SimulationDescription } from '../../../engine/index.ts';
import { rasterLayout } from '../../simulator/raster-layout.ts';
import { readyNetwork } from '../../simulator/networks.ts';
import { classNames } from '../../ui/class-names.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { RunBar } from './RunBar.tsx';
import { NetworkPanel } from './setup/NetworkPanel.tsx';
import { PartsEditor } from './setup/PartsEditor.tsx';
import bench from '../../ui/Workbench.module.css';
import { Grid } from '../../ui/Layout.tsx';
import css from './Simulator.module.css';
import { FIELDS } from './simulator-fields.ts';
import { useSimulatorText } from './simulator-text.ts';
import { pageSimulator, useSimulator } from './simulator-store.ts';
import { FiguresTable } from './views/FiguresTable.tsx';
import { IntervalsView } from './views/IntervalsView.tsx';
import { RasterView } from './views/RasterView.tsx';
import { RatesView } from './views/RatesView.tsx';
import { WeightsView } from './views/WeightsView.tsx';

/** A network is made anew once its numbers stand still this long. */
const TYPING_MS = 400;

/** Networks of spiking neurons, run and looked at while they run. */
export function Simulator() {
  const { t } = useSimulatorText();
  const [fields, change] = useUrlState(FIELDS);
  const ready = useMemo(() => readyNetwork(fields.net, fields.seed), [fields.net, fields.seed]);
  const [own, setOwn] = useState<SimulationDescription | null>(null);
  const description = own ?? ready;
  const settled = useSettled(description, TYPING_MS);
  useEffect(() => pageSimulator().open(settled, 'run'), [settled]);
  useEffect(() => () => pageSimulator().pause(), []);
  const layout = useMemo(() => rasterLayout(settled), [settled]);
  const state = useSimulator((simulator) => simulator.state);
  return (
    <Screen lead={t('simulator.lead')} width="wide">
      {state.status === 'failed' && (
        <ErrorState error={new Error(t('run.failedTitle', { message: state.message }))} />
      )}
      <RunBar onReset={() => pageSimulator().open(description, 'wait')} />
      <div className={classNames(bench['bench'], css['simulator'])}>
        <div className={bench['setup']}>
          <NetworkPanel
            name={own ? 'own' : fields.net}
            seed={description.seed}
            description={description}
            onReady={(net) => {
              setOwn(null);
              change({ net });
            }}
            onSeed={(seed) => (own ? setOwn({ ...own, seed }) : change({ seed }))}
            onOwn={setOwn}
          />
          <PartsEditor description={description} onChange={setOwn} />
        </div>
        <div className={bench['views']}>
          <RasterView layout={layout} />
          <RatesView layout={layout} />
          <Grid min="20rem" gap={4}>
            <IntervalsView layout={layout} />
            <WeightsView description={settled} />
          </Grid>
          <FiguresTable layout={layout} />
        </div>
      </div>
    </Screen>
  );
}
