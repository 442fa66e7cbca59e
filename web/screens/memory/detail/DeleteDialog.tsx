import type { MemoryRecord } from '../../../../edge/memory/contract/memory.ts';
import { deleteMemory, memoryQuery, type MemoryPlace } from '../../../api/memory.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../../ui/Dialog.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { useMemoryText } from '../memory-text.ts';
import { useMemoryChange } from '../use-memory-change.ts';

export interface DeleteDialogProps {
  readonly place: MemoryPlace;
  readonly memory: MemoryRecord;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Asks before a memory is deleted for good. */
export function DeleteDialog({ place, memory, onDone, onClose }: DeleteDialogProps) {
  const { t } = useMemoryText();
  const change = useMemoryChange({
    change: () => deleteMemory(place, memory.memory_id),
    said: () => t('delete.said'),
    gone: memoryQuery(place, memory.memory_id).queryKey,
    onDone: () => {
      onClose();
      onDone();
    },
  });
  return (
    <Dialog title={t('delete.title')} onClose={onClose}>
      <p>{t('delete.body')}</p>
      {change.isError && <ErrorState error={change.error} />}
      <DialogActions>
        <Button onClick={onClose}>{t('dialog.cancel')}</Button>
        <Button
          tone="danger"
          state={change.isPending ? 'blocked' : 'ready'}
          onClick={() => change.mutate()}
        >
          {t('delete.do')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
