import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WholeMemory } from '../../../../edge/memory/contract/memory.ts';
import { memoryQuery, type MemoryPlace } from '../../../api/memory.ts';
import { useCopy } from '../../../app/use-copy.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Facts } from '../../../ui/Facts.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { JsonView } from '../JsonView.tsx';
import { FoundCauses } from '../FoundCauses.tsx';
import css from '../Memory.module.css';
import { type MemoryText, useMemoryText } from '../memory-text.ts';
import { DeleteDialog } from './DeleteDialog.tsx';
import { Marked } from './Marked.tsx';

export interface MemoryPanelProps {
  readonly place: MemoryPlace;
  readonly memoryId: string;
  /** What is marked in its text; empty for nothing. */
  readonly evidence: string;
  readonly onClose: () => void;
}

/** One memory: its whole text and all that is known of it. */
export function MemoryPanel({ place, memoryId, evidence, onClose }: MemoryPanelProps) {
  const { t } = useMemoryText();
  const copy = useCopy();
  const { data: memory, error, refetch } = useQuery(memoryQuery(place, memoryId));
  const [isDeleting, setDeleting] = useState(false);
  const actions = (
    <>
      {memory && (
        <>
          <Button icon="copy" onClick={() => void copy(JSON.stringify(memory, null, 2))}>
            {t('detail.copy')}
          </Button>
          <Button tone="danger" icon="trash" onClick={() => setDeleting(true)}>
            {t('ui.delete')}
          </Button>
        </>
      )}
      <IconButton icon="close" label={t('detail.close')} onClick={onClose} />
    </>
  );
  return (
    <Panel title={t('detail.title')} note={<code>{memoryId}</code>} actions={actions}>
      {memory && <Whole memory={memory} evidence={evidence} />}
      {!memory && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!memory && !error && <Skeleton lines={4} />}
      {memory && isDeleting && (
        <DeleteDialog
          place={place}
          memory={memory}
          onDone={onClose}
          onClose={() => setDeleting(false)}
        />
      )}
    </Panel>
  );
}

function Whole({ memory, evidence }: Pick<MemoryPanelProps, 'evidence'> & { memory: WholeMemory }) {
  const text = useMemoryText();
  return (
    <>
      <p className={css['text']} lang="">
        <Marked text={memory.content} part={evidence} />
      </p>
      <FoundCauses causes={memory.causal_edges} />
      <Facts facts={factsOf(text, memory)} />
      {Object.keys(memory.metadata).length > 0 && (
        <JsonView label={text.t('detail.metadata')} value={memory.metadata} />
      )}
    </>
  );
}

const time = (at: string | null) => at !== null && <RelativeTime time={at} />;

function factsOf({ t, format }: MemoryText, memory: WholeMemory) {
  const facts = [
    { label: t('column.user'), value: memory.user_id },
    { label: t('detail.session'), value: memory.session_id },
    { label: t('column.tags'), value: format.list(memory.tags) },
    { label: t('detail.importance'), value: format.number(memory.importance) },
    { label: t('link.from'), value: time(memory.valid_at) },
    { label: t('link.until'), value: time(memory.invalid_at) || t('link.open') },
    { label: t('detail.expires'), value: time(memory.expires_at) },
    { label: t('detail.created'), value: time(memory.created_at) },
  ];
  return facts.filter(({ value }) => value !== null && value !== '' && value !== false);
}
