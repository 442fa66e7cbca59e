import { ALERTS_KEY } from '../../api/alerts.ts';
import { useChange } from '../../app/use-change.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';

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
