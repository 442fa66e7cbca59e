import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DEFAULT_MEMORY_NAMESPACE } from '../../../../edge/memory/contract/memory.ts';
import type { MemoryStats } from '../../../../edge/memory/contract/namespace.ts';
import {
  deleteNamespace,
  MEMORY_KEY,
  memoryExportUrl,
  type MemoryPlace,
  memoryStatsQuery,
} from '../../../api/memory.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import type { Fact } from '../../../ui/Facts.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { goTo, placeOf } from '../memory-fields.ts';
import css from '../Memory.module.css';
import { type MemoryText, useMemoryText } from '../memory-text.ts';
import { isUnknownNamespace } from '../unknown-namespace.ts';
import { useMemoryChange } from '../use-memory-change.ts';
import type { ForgetProps } from './Forget.tsx';
import { ForgetDialog } from './ForgetDialog.tsx';

/** Deletes the namespace that is shown, with all that is in it. */
export function ForgetNamespace({ fields, onChange }: ForgetProps) {
  const { t } = useMemoryText();
  const place = placeOf(fields);
  const [isAsking, setAsking] = useState(false);
  const { data: stats, error } = useQuery(memoryStatsQuery(place));
  return (
    <Panel title={t('forget.namespace')} note={t('forget.namespaceNote')}>
      <div className={css['forget']}>
        <Button
          tone="danger"
          icon="trash"
          state={stats ? 'ready' : 'blocked'}
          onClick={() => setAsking(true)}
        >
          {t('forget.dropOpen', { namespace: place.namespace })}
        </Button>
      </div>
      {error && !isUnknownNamespace(error) && <ErrorState error={error} />}
      {isAsking && stats && (
        <DropDialog
          place={place}
          stats={stats}
          onDone={() => onChange(goTo({ ns: DEFAULT_MEMORY_NAMESPACE, owner: '' }))}
          onClose={() => setAsking(false)}
        />
      )}
    </Panel>
  );
}

interface DropDialogProps {
  readonly place: MemoryPlace;
  readonly stats: MemoryStats;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function DropDialog({ place, stats, onDone, onClose }: DropDialogProps) {
  const text = useMemoryText();
  const { t } = text;
  const { namespace, owner } = place;
  const isLeft = namespace !== DEFAULT_MEMORY_NAMESPACE || owner !== undefined;
  const change = useMemoryChange({
    change: () => deleteNamespace(place),
    said: ({ memories }) => t('forget.dropSaid', { namespace, count: memories }),
    // Whoever is led away asks for all of it anew; who stays sees that nothing is there any more.
    ...(isLeft && { gone: MEMORY_KEY }),
    onDone: () => {
      onClose();
      onDone();
    },
  });
  return (
    <ForgetDialog
      title={t('forget.dropTitle', { namespace })}
      name={namespace}
      facts={factsOf(text, stats)}
      exportUrl={memoryExportUrl(place, '')}
      state={change.isPending ? 'pending' : 'ready'}
      error={change.error}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    />
  );
}

const factsOf = ({ t, format }: MemoryText, stats: MemoryStats): readonly Fact[] => [
  { label: t('forget.memories'), value: format.integer(stats.memories) },
  { label: t('forget.users'), value: format.integer(stats.users) },
  { label: t('forget.edges'), value: format.integer(stats.edges) },
  { label: t('forget.bytes'), value: format.bytes(stats.storage_bytes) },
];
