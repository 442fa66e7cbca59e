import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { aliasQuery, deleteAlias, refreshModels } from '../../../api/registry-versions.ts';
import { useServices } from '../../../app/services.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../../ui/Dialog.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { useModelsText } from '../models-text.ts';
import type { AliasRow } from './alias-table.ts';

export interface DeleteAliasProps {
  readonly modelId: string;
  readonly alias: AliasRow;
  readonly onClose: () => void;
}

export function DeleteAlias({ modelId, alias: { alias, version }, onClose }: DeleteAliasProps) {
  const { t } = useModelsText();
  const { toasts } = useServices();
  const queries = useQueryClient();
  const { data: seen, error, refetch } = useQuery(aliasQuery(modelId, alias));
  const remove = useMutation({
    mutationFn: async () => {
      if (seen) await deleteAlias(seen);
    },
    async onSuccess() {
      toasts.show(t('alias.deleted', { alias }), 'good');
      onClose();
      await refreshModels(queries);
    },
  });
  const isReady = seen !== undefined && !remove.isPending;
  return (
    <Dialog title={t('alias.deleteTitle', { alias })} onClose={onClose}>
      <p>{t('alias.deleteBody', { alias, version: seen?.version ?? version })}</p>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {remove.isError && <ErrorState error={remove.error} />}
      <DialogActions>
        <Button onClick={onClose}>{t('dialog.cancel')}</Button>
        <Button tone="danger" state={isReady ? 'ready' : 'blocked'} onClick={() => remove.mutate()}>
          {t('ui.delete')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
