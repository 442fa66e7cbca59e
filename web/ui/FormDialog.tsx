import type { FormEvent, ReactNode } from 'react';
import { useText } from '../i18n/text-context.ts';
import { Button } from './Button.tsx';
import { Dialog, DialogActions } from './Dialog.tsx';
import { ErrorState } from './ErrorState.tsx';
import { Stack } from './Layout.tsx';

/** The members of a mutation that a dialog shows. */
export interface Sending {
  readonly error: unknown;
  readonly isPending: boolean;
}

interface FormDialogProps {
  readonly title: string;
  /** Label of the button that submits. */
  readonly submit: string;
  /** Its label while the request is under way; `submit` where nothing is given. */
  readonly sending?: string;
  /** Label of the button that closes; "Cancel" where nothing is given. */
  readonly cancel?: string;
  readonly tone?: 'primary' | 'danger';
  /** Whether the fields can be submitted as they are. */
  readonly isReady?: boolean;
  readonly request: Sending;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog with fields or a question: its buttons cancel or submit, and a refusal stands above them. */
export function FormDialog({ title, onClose, ...form }: FormDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <DialogForm {...form} onClose={onClose} />
    </Dialog>
  );
}

type DialogFormProps = Omit<FormDialogProps, 'title'>;

/** The content of a form dialog, for dialogs that show something else before or after it. */
export function DialogForm(props: DialogFormProps) {
  const { submit, sending = submit, tone = 'primary', isReady = true, request } = props;
  const { t } = useText();
  const canSubmit = isReady && !request.isPending;

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (canSubmit) props.onSubmit();
  }

  return (
    <Stack as="form" onSubmit={onSubmit} noValidate>
      {props.children}
      {request.error ? <ErrorState error={request.error} /> : null}
      <DialogActions>
        <Button onClick={props.onClose}>{props.cancel ?? t('ui.cancel')}</Button>
        <Button tone={tone} type="submit" state={canSubmit ? 'ready' : 'blocked'}>
          {request.isPending ? sending : submit}
        </Button>
      </DialogActions>
    </Stack>
  );
}
