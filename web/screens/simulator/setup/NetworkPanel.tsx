import { useId, useState } from 'react';
import type { SimulationDescription } from '../../../../engine/index.ts';
import { type NetworkName, NETWORKS } from '../../../simulator/networks.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { NumberField } from '../../../ui/NumberField.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { SelectField } from '../../../ui/SelectField.tsx';
import { SEED_RULE } from '../simulator-fields.ts';
import bench from '../../../ui/Workbench.module.css';
import { useSimulatorText } from '../simulator-text.ts';
import { Row } from '../../../ui/Layout.tsx';

interface NetworkPanelProps {
  /** The ready network that is shown, or `own` for one that was changed or opened. */
  readonly name: NetworkName | 'own';
  readonly seed: number;
  readonly description: SimulationDescription;
  readonly onReady: (name: NetworkName) => void;
  readonly onSeed: (seed: number) => void;
  readonly onOwn: (description: SimulationDescription) => void;
}

/** Which network, and its file. */
export function NetworkPanel(props: NetworkPanelProps) {
  const { name, seed, description, onReady, onSeed, onOwn } = props;
  const { t } = useSimulatorText();
  const offered = [...NETWORKS, ...(name === 'own' ? (['own'] as const) : [])];
  return (
    <Panel title={t('setup.title')} note={t('setup.note')}>
      <div className={bench['fields']}>
        <SelectField
          label={t('setup.network')}
          options={offered.map((value) => ({ value, label: t(`setup.${value}`) }))}
          value={name}
          onChange={(chosen) => chosen !== 'own' && onReady(chosen)}
        />
        <NumberField
          label={t('setup.seed')}
          value={seed}
          rule={SEED_RULE}
          step={1}
          onChange={onSeed}
        />
        <Row align="stretch">
          <OpenFile onOpen={onOwn} />
          <Button icon="save" onClick={() => saveNetwork(description)}>
            {t('setup.save')}
          </Button>
        </Row>
      </div>
    </Panel>
  );
}

function saveNetwork(description: SimulationDescription): void {
  const file = new Blob([JSON.stringify(description, null, 2)], { type: 'application/json' });
  saveFile('network.json', file);
}

/** Reads a network from a file; whether it can be simulated is for the engine to say. */
function OpenFile({ onOpen }: { readonly onOpen: (description: SimulationDescription) => void }) {
  const { t } = useSimulatorText();
  const id = useId();
  const [message, setMessage] = useState<string | null>(null);

  async function read(file: File | undefined) {
    if (!file) return;
    try {
      onOpen(parseNetwork(await file.text()));
      setMessage(null);
    } catch (error) {
      setMessage(error instanceof Error ? error.message : String(error));
    }
  }

  return (
    <>
      <Button icon="open" onClick={() => document.getElementById(id)?.click()}>
        {t('setup.open')}
      </Button>
      <input
        id={id}
        className="visually-hidden"
        type="file"
        accept="application/json"
        aria-label={t('setup.open')}
        tabIndex={-1}
        onChange={(event) => {
          void read(event.target.files?.[0]);
          // The same file may be chosen again once it was changed.
          event.target.value = '';
        }}
      />
      {message !== null && <ErrorState error={new Error(t('setup.openFailed', { message }))} />}
    </>
  );
}

function parseNetwork(text: string): SimulationDescription {
  const value: unknown = JSON.parse(text);
  const isNetwork =
    typeof value === 'object' &&
    value !== null &&
    'populations' in value &&
    Array.isArray(value.populations);
  if (!isNetwork) throw new Error('expected an object with populations');
  // The engine holds every member against its schema when the network is opened.
  return value as unknown as SimulationDescription;
}
