import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type SensorSearch, sensorsQuery } from '../../api/sensors.ts';
import { CommandBox } from '../../app/CommandBox.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { MoreButton } from '../../ui/Resource.tsx';
import { Opened } from '../../ui/Opened.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { RegisterDialog } from './register/RegisterDialog.tsx';
import { type ChangeSensorsFields, FIELDS, type SensorsFields } from './sensor-fields.ts';
import { SensorPanel } from './SensorPanel.tsx';
import css from './Sensors.module.css';
import { useSensorsText } from './sensors-text.ts';
import { SensorTable } from './SensorTable.tsx';

/** Requests wait until the typing has stopped for this long. */
const TYPING_MS = 300;

/** The sensors there are, what they measure as it comes, and the spikes it becomes. */
export function Sensors() {
  const { t } = useSensorsText();
  const [fields, change] = useUrlState(FIELDS);
  const [isRegistering, setRegistering] = useState(false);
  const open = () => setRegistering(true);
  return (
    <Screen
      lead={t('sensors.lead')}
      width="wide"
      actions={
        <Button tone="primary" icon="add" onClick={open}>
          {t('register.open')}
        </Button>
      }
    >
      <Found fields={fields} onChange={change} onRegister={open} />
      {fields.sensor !== '' && (
        <Opened key={fields.sensor}>
          <SensorPanel
            sensorId={fields.sensor}
            fields={fields}
            onChange={change}
            onClose={() => change({ sensor: '' })}
          />
        </Opened>
      )}
      {isRegistering && (
        <RegisterDialog
          onDone={({ sensor_id: sensor }) => {
            setRegistering(false);
            change({ sensor });
          }}
          onClose={() => setRegistering(false)}
        />
      )}
    </Screen>
  );
}

interface FoundProps {
  readonly fields: SensorsFields;
  readonly onChange: ChangeSensorsFields;
  readonly onRegister: () => void;
}

const searchOf = ({ type, node }: SensorsFields): SensorSearch => ({
  ...(type.trim() !== '' && { type: type.trim() }),
  ...(node.trim() !== '' && { node_id: node.trim() }),
});

function Found({ fields, onChange, onRegister }: FoundProps) {
  const { t } = useSensorsText();
  const search = searchOf(useSettled(fields, TYPING_MS));
  const query = useInfiniteQuery({ ...sensorsQuery(search), placeholderData: (before) => before });
  const { data, error } = query;
  const retry = () => void query.refetch();
  if (!data) {
    if (error) return <ErrorState error={error} onRetry={retry} />;
    return <Skeleton lines={1} lineRem={12} />;
  }
  const sensors = data.pages.flatMap((page) => page.sensors);
  if (sensors.length === 0 && Object.keys(search).length === 0) {
    return <NoSensors onRegister={onRegister} />;
  }
  return (
    <Panel title={t('list.title')} note={t('list.note', { count: data.pages[0]?.total ?? 0 })}>
      <Filters fields={fields} onChange={onChange} />
      {sensors.length === 0 ? (
        <EmptyState icon="search" title={t('none.found')}>
          {t('none.foundHelp')}
        </EmptyState>
      ) : (
        <SensorTable sensors={sensors} onOpen={(sensor) => onChange({ sensor })} />
      )}
      <MoreButton pages={query}>{t('list.more')}</MoreButton>
      {error && <ErrorState error={error} onRetry={retry} />}
    </Panel>
  );
}

function Filters({ fields, onChange }: Pick<FoundProps, 'fields' | 'onChange'>) {
  const { t } = useSensorsText();
  return (
    <search className={css['two']} aria-label={t('filter.region')}>
      <TextField
        type="search"
        label={t('filter.type')}
        value={fields.type}
        maxLength={32}
        onChange={(type) => onChange({ type })}
      />
      <TextField
        type="search"
        label={t('filter.node')}
        value={fields.node}
        maxLength={128}
        onChange={(node) => onChange({ node })}
      />
    </search>
  );
}

function NoSensors({ onRegister }: Pick<FoundProps, 'onRegister'>) {
  const { t } = useSensorsText();
  const command = `npm run -s spikegrid -- sensor register room-1 --type temperature --unit °C --gateway ${location.origin}`;
  return (
    <EmptyState
      icon="sensors"
      title={t('none.title')}
      action={
        <>
          <CommandBox command={command} copy={t('none.copy')} />
          <Button tone="primary" icon="add" onClick={onRegister}>
            {t('register.open')}
          </Button>
        </>
      }
    >
      {t('none.help')}
    </EmptyState>
  );
}
