import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RangeField } from '../../ui/RangeField.tsx';
import { REDUCED_MOTION, useMedia } from '../../ui/use-media.ts';
import { number } from '../../url-state/fields.ts';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { MembraneTraces } from '../../widgets/membrane-traces/MembraneTraces.tsx';
import {
  createOneNeuron,
  type NeuronDrive,
  runNeuron,
  SHOWN_STEPS,
  THRESHOLD,
} from './one-neuron.ts';
import { Grid } from '../../ui/Layout.tsx';
import { useOverviewText } from './words/en-overview.ts';

const CURRENT = { min: 0, max: 0.2 };
const TAU = { min: 2, max: 100 };
const FIELDS = { current: number(0.08, CURRENT), tau: number(20, TAU) };

/** A first look at what all of this is about, on the way to the lab: one neuron, alive. */
export function NeuronPanel() {
  const { t } = useOverviewText();
  const wantsLessMotion = useMedia(REDUCED_MOTION);
  const [drive, setDrive] = useUrlState(FIELDS);
  const [wish, setWish] = useState<'running' | 'stopped' | undefined>();
  const [neuron] = useState(() => {
    const fresh = createOneNeuron();
    fresh.advance(SHOWN_STEPS, drive);
    return fresh;
  });
  const state = wish ?? (wantsLessMotion ? 'stopped' : 'running');
  useEffect(
    () => (state === 'running' ? runNeuron(neuron, drive) : undefined),
    [neuron, drive, state],
  );
  const isRunning = state === 'running';

  return (
    <Panel
      title={t('neuron.title')}
      note={t('neuron.note')}
      actions={
        <Link href="/lab" className={buttonClass('primary')}>
          {t('overview.openLab')}
        </Link>
      }
    >
      <MembraneTraces
        title={t('neuron.potential')}
        level={3}
        buffer={neuron.trace}
        thresholds={THRESHOLD}
        names={[t('neuron.title')]}
        columns={SHOWN_STEPS}
        state={state}
        controls={
          <Button
            tone="quiet"
            icon={isRunning ? 'pause' : 'play'}
            onClick={() => setWish(isRunning ? 'stopped' : 'running')}
          >
            {t(isRunning ? 'neuron.pause' : 'neuron.play')}
          </Button>
        }
      />
      <DriveFields drive={drive} onChange={setDrive} />
    </Panel>
  );
}

interface DriveFieldsProps {
  readonly drive: NeuronDrive;
  readonly onChange: (change: Partial<NeuronDrive>) => void;
}

function DriveFields({ drive, onChange }: DriveFieldsProps) {
  const { t, format } = useOverviewText();
  return (
    <Grid min="15rem" gap={[3, 6]}>
      <RangeField
        label={t('neuron.current')}
        value={drive.current}
        {...CURRENT}
        step={0.002}
        valueText={format.number(drive.current)}
        onChange={(current) => onChange({ current })}
      />
      <RangeField
        label={t('neuron.tau')}
        value={drive.tau}
        {...TAU}
        step={1}
        valueText={t('neuron.tauValue', { tau: drive.tau })}
        onChange={(tau) => onChange({ tau })}
      />
    </Grid>
  );
}
