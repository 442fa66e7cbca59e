import { type FormEvent, useState } from 'react';
import type { StoredMemory } from '../../../../edge/memory/contract/memory.ts';
import { storeMemory } from '../../../api/memory.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../../ui/Dialog.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { FoundCauses } from '../FoundCauses.tsx';
import css from '../Memory.module.css';
import { useMemoryText } from '../memory-text.ts';
import { useMemoryChange } from '../use-memory-change.ts';
import { DraftFields } from './DraftFields.tsx';
import { isReady, type MemoryDraft, newDraft, newMemoryOf } from './memory-draft.ts';

export interface StoreDialogProps {
  /** Where it goes if nothing else is said. */
  readonly namespace: string;
  readonly onOpen: (stored: StoredMemory) => void;
  readonly onClose: () => void;
}

/** Stores a memory, and says which causes were read from it. */
export function StoreDialog({ namespace, onOpen, onClose }: StoreDialogProps) {
  const { t } = useMemoryText();
  const [draft, setDraft] = useState<MemoryDraft>(newDraft(namespace));
  const change = useMemoryChange({
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
          <DialogActions>
            <Button onClick={onClose}>{t('dialog.cancel')}</Button>
            <Button type="submit" tone="primary" state={canStore ? 'ready' : 'blocked'}>
              {t('store.do')}
            </Button>
          </DialogActions>
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
      <DialogActions>
        <Button onClick={onAgain}>{t('store.again')}</Button>
        <Button tone="primary" onClick={() => onOpen(stored)}>
          {t('store.show')}
        </Button>
      </DialogActions>
    </div>
  );
}
