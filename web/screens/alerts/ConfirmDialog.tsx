import { ALERTS_KEY } from '../../api/alerts.ts';
import { useChange } from '../../app/use-change.ts';
import { Answers } from '../../ui/Answers.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { useAlertsText } from './alerts-text.ts';

interface ConfirmDialogProps {
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
  const change = useChange(ALERTS_KEY, {
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
      <Answers>
        <Button onClick={onClose}>{t('dialog.cancel')}</Button>
        <Button
          tone="danger"
          state={change.isPending ? 'blocked' : 'ready'}
          onClick={() => change.mutate()}
        >
          {confirm}
        </Button>
      </Answers>
    </Dialog>
  );
}
