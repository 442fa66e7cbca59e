import { ALERTS_KEY } from '../../api/alerts.ts';
import { useChange } from '../../app/use-change.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  /** Consequences of the action. */
  readonly body: string;
  readonly confirm: string;
  /** The toast after success. */
  readonly said: string;
  readonly onConfirm: () => Promise<void>;
  readonly onDone?: () => void;
  readonly onClose: () => void;
}

/** Confirms an action that removes something. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, body, confirm, said, onConfirm, onDone, onClose } = props;
  const change = useChange(ALERTS_KEY, {
    change: onConfirm,
    said: () => said,
    onDone: () => {
      onClose();
      onDone?.();
    },
  });
  return (
    <FormDialog
      title={title}
      submit={confirm}
      tone="danger"
      request={change}
      onSubmit={() => change.mutate(undefined)}
      onClose={onClose}
    >
      <p>{body}</p>
    </FormDialog>
  );
}
