import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { StoredMemory } from '../../../edge/memory/contract/memory.ts';
import type { MemoryStats } from '../../../edge/memory/contract/namespace.ts';
import { memoryExportUrl, memoryStatsQuery } from '../../api/memory.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { Opened } from '../../ui/Opened.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { useNow } from '../../ui/use-now.ts';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { Causes } from './causes/Causes.tsx';
import { Forget } from './Forget.tsx';
import { FIELDS, type MemoryFields, placeOf, type TimeWindow, windowOf } from './memory-fields.ts';
import { MemoryPanel } from './MemoryPanel.tsx';
import { MemoryResults } from './MemoryResults.tsx';
import { PlaceBar, SearchFields } from './MemoryBars.tsx';
import { StoreDialog } from './StoreDialog.tsx';
import { type MemoryText, useMemoryText } from './words/en-memory.ts';

/** How often the right end of the slider, now, moves. */
const NOW_EVERY_MS = 60_000;

/** The memory service: store, search, follow causes and erase. */
export function Memory() {
  const text = useMemoryText();
  const [fields, change] = useUrlState(FIELDS);
  const { data: stats } = useQuery(memoryStatsQuery(placeOf(fields)));
  const [evidence, setEvidence] = useState('');
  const [isStoring, setStoring] = useState(false);
  const now = useNow(NOW_EVERY_MS);
  const window = windowOf(stats?.first_valid_at ?? null, stats?.last_valid_at ?? null, now);
  const openMemory = (memory: string, words = '') => {
    setEvidence(words);
    change({ memory });
  };
  const showStored = ({ memory_id: id, namespace }: StoredMemory) => {
    setStoring(false);
    openMemory(id);
    change({ ns: namespace, owner: '', memory: id });
  };
  return (
    <Screen
      lead={leadOf(text, stats)}
      width="wide"
      actions={<Actions fields={fields} onStore={() => setStoring(true)} />}
    >
      <PlaceBar fields={fields} window={window} onChange={change} />
      <Parts
        fields={fields}
        window={window}
        onChange={change}
        onStore={() => setStoring(true)}
        onMemory={openMemory}
      />
      {fields.memory !== '' && (
        <Opened key={fields.memory}>
          <MemoryPanel
            place={placeOf(fields)}
            memoryId={fields.memory}
            evidence={evidence}
            onClose={() => openMemory('')}
          />
        </Opened>
      )}
      {isStoring && (
        <StoreDialog namespace={fields.ns} onOpen={showStored} onClose={() => setStoring(false)} />
      )}
    </Screen>
  );
}

function leadOf({ t, format }: MemoryText, stats: MemoryStats | undefined): string {
  if (!stats || stats.memories === 0) return t('memory.lead');
  const { memories, edges, storage_bytes: bytes } = stats;
  return t('memory.holds', { count: memories, edges, bytes: format.bytes(bytes) });
}

interface ActionsProps {
  readonly fields: MemoryFields;
  readonly onStore: () => void;
}

function Actions({ fields, onStore }: ActionsProps) {
  const { t } = useMemoryText();
  const { user, ns } = fields;
  return (
    <>
      <a
        className={buttonClass('secondary')}
        href={memoryExportUrl(placeOf(fields), user)}
        download={`${user === '' ? ns : `${ns}-${user}`}.jsonl`}
      >
        <Icon name="download" size="small" />
        {user === '' ? t('export.all') : t('export.user', { user })}
      </a>
      <Button tone="primary" icon="add" onClick={onStore}>
        {t('store.open')}
      </Button>
    </>
  );
}

interface PartsProps {
  readonly fields: MemoryFields;
  readonly window: TimeWindow;
  readonly onChange: (change: Partial<MemoryFields>) => void;
  readonly onStore: () => void;
  readonly onMemory: (memoryId: string, evidence?: string) => void;
}

function Parts({ fields, window, onChange, onStore, onMemory }: PartsProps) {
  const { t } = useMemoryText();
  return (
    <Tabs
      label={t('memory.parts')}
      value={fields.tab}
      onChange={(tab) => onChange({ tab })}
      tabs={[
        {
          value: 'memories',
          label: t('tab.memories'),
          content: (
            <Stack>
              <SearchFields fields={fields} onChange={onChange} />
              <MemoryResults
                fields={fields}
                window={window}
                onOpen={onMemory}
                onChange={onChange}
                onStore={onStore}
              />
            </Stack>
          ),
        },
        {
          value: 'causes',
          label: t('tab.causes'),
          content: (
            <Stack>
              <Causes
                fields={fields}
                window={window}
                onChange={onChange}
                onMemory={({ memory_id: id, evidence }) => onMemory(id, evidence)}
              />
            </Stack>
          ),
        },
        {
          value: 'forget',
          label: t('tab.forget'),
          content: (
            <Stack>
              <Forget fields={fields} onChange={onChange} />
            </Stack>
          ),
        },
      ]}
    />
  );
}
