import { useState } from 'react';
import {
  MEMORY_LIMITS,
  type NewMemoryInput,
  type StoredMemory,
} from '../../../edge/memory/contract/memory.ts';
import { MEMORY_KEY, storeMemory } from '../../api/memory.ts';
import { useChange } from '../../app/use-change.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { DialogForm } from '../../ui/FormDialog.tsx';
import { Grid, Stack } from '../../ui/Layout.tsx';
import { fromLocalInput } from '../../ui/local-time.ts';
import { RangeField } from '../../ui/RangeField.tsx';
import { TextAreaField } from '../../ui/TextAreaField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { namesIn } from './memory-fields.ts';
import { FoundCauses } from './MemoryParts.tsx';
import { useMemoryText } from './words/en-memory.ts';

interface StoreDialogProps {
  /** The initial namespace. */
  readonly namespace: string;
  readonly onOpen: (stored: StoredMemory) => void;
  readonly onClose: () => void;
}

/** Stores a memory and shows the causes read from it. */
export function StoreDialog({ namespace, onOpen, onClose }: StoreDialogProps) {
  const { t } = useMemoryText();
  const [draft, setDraft] = useState<MemoryDraft>(newDraft(namespace));
  const change = useChange(MEMORY_KEY, {
    change: storeMemory,
    said: ({ deduplicated }) => t(deduplicated ? 'store.known' : 'store.said'),
  });
  const { data: stored } = change;
  const again = () => {
    change.reset();
    setDraft({ ...draft, content: '' });
  };
  return (
    <Dialog title={t('store.title')} onClose={onClose}>
      {stored ? (
        <Stored stored={stored} onAgain={again} onOpen={onOpen} />
      ) : (
        <DialogForm
          submit={t('store.do')}
          isReady={isReady(draft)}
          request={change}
          onSubmit={() => change.mutate(newMemoryOf(draft))}
          onClose={onClose}
        >
          <DraftFields draft={draft} onChange={setDraft} />
        </DialogForm>
      )}
    </Dialog>
  );
}

interface StoredProps {
  readonly stored: StoredMemory;
  readonly onAgain: () => void;
  readonly onOpen: (stored: StoredMemory) => void;
}

function Stored({ stored, onAgain, onOpen }: StoredProps) {
  const { t } = useMemoryText();
  const { causal_edges: causes, deduplicated } = stored;
  return (
    <Stack>
      <output>
        {t(deduplicated ? 'store.known' : 'store.said')}{' '}
        {t('store.causes', { count: causes.length })}
      </output>
      <FoundCauses causes={causes} />
      <DialogActions>
        <Button onClick={onAgain}>{t('store.again')}</Button>
        <Button tone="primary" onClick={() => onOpen(stored)}>
          {t('store.show')}
        </Button>
      </DialogActions>
    </Stack>
  );
}

interface DraftFieldsProps {
  readonly draft: MemoryDraft;
  readonly onChange: (draft: MemoryDraft) => void;
}

const TEXT_FIELDS = [
  ['namespace', 'place.namespace', 63],
  ['user', 'column.user', 128],
  ['tags', 'search.tags', 400],
] as const;

/** The fields of a memory. */
function DraftFields({ draft, onChange }: DraftFieldsProps) {
  const { t, format } = useMemoryText();
  const set = (part: Partial<MemoryDraft>) => onChange({ ...draft, ...part });
  const isTooLong = bytesOf(draft) > MEMORY_LIMITS.contentBytes;
  return (
    <>
      <TextAreaField
        label={t('store.content')}
        hint={t('store.contentHint')}
        error={
          isTooLong
            ? t('store.tooLong', { most: format.bytes(MEMORY_LIMITS.contentBytes) })
            : undefined
        }
        value={draft.content}
        onChange={(content) => set({ content })}
      />
      <Grid min="14rem" gap={[3, 4]} align="start">
        {TEXT_FIELDS.map(([name, label, maxLength]) => (
          <TextField
            key={name}
            label={t(label)}
            value={draft[name]}
            maxLength={maxLength}
            onChange={(value) => set({ [name]: value })}
          />
        ))}
        <Field label={t('store.since')} hint={t('store.sinceHint')}>
          {(control) => (
            <input
              {...control}
              type="datetime-local"
              step={1}
              value={draft.since}
              onChange={(event) => set({ since: event.target.value })}
            />
          )}
        </Field>
      </Grid>
      <RangeField
        label={t('detail.importance')}
        min={0}
        max={1}
        step={0.05}
        value={draft.importance}
        valueText={format.number(draft.importance)}
        onChange={(importance) => set({ importance: Number(importance.toFixed(2)) })}
      />
    </>
  );
}

/** The state of the form. */
interface MemoryDraft {
  readonly content: string;
  readonly namespace: string;
  readonly user: string;
  readonly tags: string;
  readonly importance: number;
  /** Local date and time; empty for now. */
  readonly since: string;
}

const newDraft = (namespace: string): MemoryDraft => ({
  content: '',
  namespace,
  user: '',
  tags: '',
  importance: 0.5,
  since: '',
});

const encoder = new TextEncoder();

/** Bytes of the text in UTF-8, at most `MEMORY_LIMITS.contentBytes`. */
const bytesOf = ({ content }: MemoryDraft): number => encoder.encode(content).byteLength;

const isReady = (draft: MemoryDraft): boolean =>
  draft.content.trim() !== '' && bytesOf(draft) <= MEMORY_LIMITS.contentBytes;

const newMemoryOf = (draft: MemoryDraft): NewMemoryInput => ({
  content: draft.content,
  namespace: draft.namespace.trim(),
  importance: draft.importance,
  tags: [...namesIn(draft.tags)],
  ...(draft.user.trim() !== '' && { user_id: draft.user.trim() }),
  ...(draft.since !== '' && { occurred_at: fromLocalInput(draft.since) }),
});
