import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../../ui/Dialog.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { usePlaygroundText } from '../playground-text.ts';
import { nameOf, useUnloading, type LoadedVersion } from './use-loading.ts';

interface UnloadDialogProps {
  readonly model: LoadedVersion;
  readonly onClose: () => void;
}

export function UnloadDialog({ model, onClose }: UnloadDialogProps) {
  const { t } = usePlaygroundText();
  const unloading = useUnloading(onClose);
  return (
    <Dialog title={t('loaded.unloadAsk', { model: nameOf(model) })} onClose={onClose}>
      <p>{t('loaded.unloadBody')}</p>
      {unloading.isError && <ErrorState error={unloading.error} />}
      <DialogActions>
        <Button onClick={onClose}>{t('loaded.keep')}</Button>
        <Button
          tone="danger"
          state={unloading.isPending ? 'blocked' : 'ready'}
          onClick={() => unloading.mutate(model)}
        >
          {t('loaded.unloadShort')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
