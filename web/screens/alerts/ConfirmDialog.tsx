import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { useAlertsText } from './alerts-text.ts';
import { useAlertChange } from './use-alert-change.ts';

export interface ConfirmDialogProps {
  readonly title: string;
  /** What it means. */
  readonly body: string;
  readonly confirm: string;
  /** What is said when it is done. */
  readonly said: string;
  readonly onConfirm: () => Promise<void>;
  readonly onDone?: () => void;
  readonly onClose: () => void;
}

/** Asks before something is taken away. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, body, confirm, said, onConfirm, onDone, onClose } = props;
  const { t } = useAlertsText();
  const change = useAlertChange({
    change: onConfirm,
    said: () => said,
    onDone: () => {
      onClose();
      onDone?.();
    },
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{body}</p>
      {change.isError && <ErrorState error={change.error} />}
      <DialogActions>
        <Button onClick={onClose}>{t('dialog.cancel')}</Button>
        <Button
          tone="danger"
          state={change.isPending ? 'blocked' : 'ready'}
          onClick={() => change.mutate()}
        >
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
