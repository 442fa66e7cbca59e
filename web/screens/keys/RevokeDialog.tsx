import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { KeyRecord } from '../../../edge/access/contract/keys.ts';
import { revokeKey } from '../../api/access-client.ts';
import { sessionQuery } from '../../api/session-client.ts';
import { useServices } from '../../app/services.ts';
import { useSession } from '../../app/session.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import css from './Keys.module.css';
import { useKeysText } from './words/en-keys.ts';

interface RevokeDialogProps {
  readonly apiKey: KeyRecord;
  readonly onClose: () => void;
}

/** Asks before a key ends for good. */
export function RevokeDialog({ apiKey, onClose }: RevokeDialogProps) {
  const { t } = useKeysText();
  const { toasts } = useServices();
  const queries = useQueryClient();
  const session = useSession();
  const { key_id: id, name } = apiKey;
  const isOwn = session?.kind === 'session' && session.id === id;
  const revocation = useMutation({
    mutationFn: () => revokeKey(id),
    onSuccess: async () => {
      toasts.show(t('revoke.done', { name }), 'good');
      onClose();
      const changed = isOwn ? sessionQuery.queryKey : ['keys'];
      await queries.invalidateQueries({ queryKey: changed });
    },
  });
  return (
    <Dialog title={t('revoke.title', { name })} onClose={onClose}>
      <p>{t('revoke.body')}</p>
      {isOwn && <p className={css['warning']}>{t('revoke.own')}</p>}
      {revocation.error && <ErrorState error={revocation.error} />}
      <DialogActions>
        <Button onClick={onClose}>{t('revoke.keep')}</Button>
        <Button
          tone="danger"
          state={revocation.isPending ? 'blocked' : 'ready'}
          onClick={() => revocation.mutate()}
        >
          {t('revoke.confirm', { name })}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
