import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MemoryRecord, WholeMemory } from '../../../edge/memory/contract/memory.ts';
import { deleteMemory, MEMORY_KEY, type MemoryPlace, memoryQuery } from '../../api/memory.ts';
import { useChange } from '../../app/use-change.ts';
import { useCopy } from '../../app/use-copy.ts';
import { JsonView } from '../../records/JsonView.tsx';
import { Button } from '../../ui/Button.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Resource } from '../../ui/Resource.tsx';
import css from './Memory.module.css';
import { FoundCauses, Marked } from './MemoryParts.tsx';
import { type MemoryText, useMemoryText } from './words/en-memory.ts';

interface MemoryPanelProps {
  readonly place: MemoryPlace;
  readonly memoryId: string;
  /** The words to highlight in its text; empty for none. */
  readonly evidence: string;
  readonly onClose: () => void;
}

/** One memory: its text and metadata. */
export function MemoryPanel({ place, memoryId, evidence, onClose }: MemoryPanelProps) {
  const { t } = useMemoryText();
  const copy = useCopy();
  const query = useQuery(memoryQuery(place, memoryId));
  const { data: memory } = query;
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
      <Resource query={query} skeleton={{ lines: 4 }}>
        {(found) => <Whole memory={found} evidence={evidence} />}
      </Resource>
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

interface DeleteDialogProps {
  readonly place: MemoryPlace;
  readonly memory: MemoryRecord;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Confirms the deletion of a memory. */
function DeleteDialog({ place, memory, onDone, onClose }: DeleteDialogProps) {
  const { t } = useMemoryText();
  const change = useChange(MEMORY_KEY, {
    change: () => deleteMemory(place, memory.memory_id),
    said: () => t('delete.said'),
    gone: memoryQuery(place, memory.memory_id).queryKey,
    onDone: () => {
      onClose();
      onDone();
    },
  });
  return (
    <FormDialog
      title={t('delete.title')}
      submit={t('delete.do')}
      tone="danger"
      request={change}
      onSubmit={() => change.mutate(undefined)}
      onClose={onClose}
    >
      <p>{t('delete.body')}</p>
    </FormDialog>
  );
}
