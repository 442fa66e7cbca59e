import type { ReactNode } from 'react';
import type { DeviceDescription } from '../../../engine/index.ts';
import type { NetworkFacts, SimulationState } from '../../simulator/protocol.ts';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import css from './Simulator.module.css';
import { useSimulatorText } from './simulator-text.ts';
import { pageSimulator, useSimulator } from './simulator-store.ts';
import { Row } from '../../ui/Layout.tsx';

const TONES: Readonly<Record<SimulationState['status'], BadgeTone>> = {
  opening: 'neutral',
  paused: 'warn',
  running: 'good',
  failed: 'bad',
};

/** Run or pause, one step, begin anew; and how fast it goes. */
export function RunBar({ onReset }: { readonly onReset: () => void }) {
  const { t } = useSimulatorText();
  const state = useSimulator((simulator) => simulator.state);
  const simulator = pageSimulator();
  const isRunning = state.status === 'running';
  const canStep = state.status === 'paused';
  return (
    <section className={css['bar']} aria-label={t('run.region')}>
      <Row align="stretch">
        {/* One button for both, so that the focus stays where it is. */}
        <Button
          tone="primary"
          icon={isRunning ? 'pause' : 'play'}
          state={ready(isRunning || canStep)}
          onClick={isRunning ? simulator.pause : simulator.run}
        >
          {t(isRunning ? 'run.pause' : 'run.run')}
        </Button>
        <Button icon="step" state={ready(canStep)} onClick={simulator.step}>
          {t('run.step')}
        </Button>
        <Button tone="quiet" icon="reset" onClick={onReset}>
          {t('run.reset')}
        </Button>
      </Row>
      <output className={css['state']}>
        <Badge tone={TONES[state.status]}>{t(`run.${state.status}`)}</Badge>
      </output>
      <Row as="dl" gap={[2, 5]} align="stretch">
        <Speeds />
        <Sizes network={'network' in state ? state.network : null} />
      </Row>
    </section>
  );
}

const ready = (can: boolean) => (can ? 'ready' : 'blocked');

function Speeds() {
  const { t, format } = useSimulatorText();
  const figures = useSimulator((simulator) => simulator.figures);
  const whole = (value = Number.NaN) =>
    Number.isFinite(value) ? format.integer(Number(value.toPrecision(3))) : '–';
  const seconds = figures ? format.number(figures.time / 1000) : '–';
  return (
    <>
      <Readout label={t('run.time')}>{t('run.seconds', { value: seconds })}</Readout>
      <Readout label={t('run.stepsPerSecond')}>{whole(figures?.stepsPerSecond)}</Readout>
      <Readout label={t('run.eventsPerSecond')}>{whole(figures?.eventsPerSecond)}</Readout>
    </>
  );
}

/** Size of the network; known once it is built. */
function Sizes({ network }: { readonly network: NetworkFacts | null }) {
  const { t, format } = useSimulatorText();
  return (
    <>
      <Readout label={t('run.neurons')}>{network ? format.integer(network.neurons) : '–'}</Readout>
      <Readout label={t('run.synapses')}>
        {network ? format.integer(network.synapses) : '–'}
      </Readout>
      <Readout label={t('run.memory')}>{network ? format.bytes(network.bytes) : '–'}</Readout>
      <Readout label={t('run.device')}>{network ? DEVICES[network.device.backend] : '–'}</Readout>
    </>
  );
}

const DEVICES: Readonly<Record<DeviceDescription['backend'], string>> = {
  webgpu: 'WebGPU',
  wasm: 'WASM',
  reference: 'float64',
};

function Readout({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className={css['readout']}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
