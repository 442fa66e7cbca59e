import { type FormEvent, useState } from 'react';
import { MEMORY_LIMITS, type StoredMemory } from '../../../edge/memory/contract/memory.ts';
import { MEMORY_KEY, storeMemory } from '../../api/memory.ts';
import { useChange } from '../../app/use-change.ts';
import { Answers } from '../../ui/Answers.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Field } from '../../ui/Field.tsx';
import { RangeField } from '../../ui/RangeField.tsx';
import { TextAreaField } from '../../ui/TextAreaField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { FoundCauses } from './MemoryParts.tsx';
import { useMemoryText } from './memory-text.ts';
import css from './Memory.module.css';
import { bytesOf, isReady, type MemoryDraft, newDraft, newMemoryOf } from './memory-draft.ts';

interface StoreDialogProps {
  /** Where it goes if nothing else is said. */
  readonly namespace: string;
  readonly onOpen: (stored: StoredMemory) => void;
  readonly onClose: () => void;
}

/** Stores a memory, and says which causes were read from it. */
export function StoreDialog({ namespace, onOpen, onClose }: StoreDialogProps) {
  const { t } = useMemoryText();
  const [draft, setDraft] = useState<MemoryDraft>(newDraft(namespace));
  const change = useChange(MEMORY_KEY, {
    change: storeMemory,
    said: ({ deduplicated }) => t(deduplicated ? 'store.known' : 'store.said'),
  });
  const { data: stored } = change;
  const canStore = isReady(draft) && !change.isPending;
  const store = (event: FormEvent) => {
    event.preventDefault();
    if (canStore) change.mutate(newMemoryOf(draft));
  };
  const again = () => {
    change.reset();
    setDraft({ ...draft, content: '' });
  };
  return (
    <Dialog title={t('store.title')} onClose={onClose}>
      {stored ? (
        <Stored stored={stored} onAgain={again} onOpen={onOpen} />
      ) : (
        <form className={css['form']} onSubmit={store}>
          <DraftFields draft={draft} onChange={setDraft} />
          {change.isError && <ErrorState error={change.error} />}
          <Answers>
            <Button onClick={onClose}>{t('dialog.cancel')}</Button>
            <Button type="submit" tone="primary" state={canStore ? 'ready' : 'blocked'}>
              {t('store.do')}
            </Button>
          </Answers>
        </form>
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
    <div className={css['form']}>
      <output>
        {t(deduplicated ? 'store.known' : 'store.said')}{' '}
        {t('store.causes', { count: causes.length })}
      </output>
      <FoundCauses causes={causes} />
      <Answers>
        <Button onClick={onAgain}>{t('store.again')}</Button>
        <Button tone="primary" onClick={() => onOpen(stored)}>
          {t('store.show')}
        </Button>
      </Answers>
    </div>
  );
}

interface DraftFieldsProps {
  readonly draft: MemoryDraft;
  readonly onChange: (draft: MemoryDraft) => void;
}

/** What a memory is made of. */
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
      <div className={css['two']}>
        <TextField
          label={t('place.namespace')}
          value={draft.namespace}
          maxLength={63}
          onChange={(namespace) => set({ namespace })}
        />
        <TextField
          label={t('column.user')}
          value={draft.user}
          maxLength={128}
          onChange={(user) => set({ user })}
        />
        <TextField
          label={t('search.tags')}
          value={draft.tags}
          maxLength={400}
          onChange={(tags) => set({ tags })}
        />
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
      </div>
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
