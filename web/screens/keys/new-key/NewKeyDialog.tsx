import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createKey } from '../../../api/access-client.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { useKeysText } from '../words/en-keys.ts';
import { NewKeyForm } from './NewKeyForm.tsx';
import { ShownKey } from './ShownKey.tsx';

/** Makes a key, and shows it this once. */
export function NewKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useKeysText();
  const queries = useQueryClient();
  const creation = useMutation({
    mutationFn: createKey,
    // The secret stays in this dialog, and nowhere once it is closed.
    gcTime: 0,
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['keys'] }),
  });
  const made = creation.data;
  if (made) {
    return (
      <Dialog
        key="made"
        title={t('new.done', { name: made.name })}
        closing="deliberate"
        onClose={onClose}
      >
        <ShownKey secret={made.key} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog key="asked" title={t('new.title')} onClose={onClose}>
      <NewKeyForm request={creation} onSubmit={creation.mutate} onClose={onClose} />
    </Dialog>
  );
}
