import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { registerService, type ReadService } from '../../../api/gateway-client.ts';
import { servicesQuery } from '../../../api/queries.ts';
import { useServices } from '../../../app/services.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { useGatewayText } from '../gateway-text.ts';
import { draftOf, EMPTY, registrationOf } from './draft.ts';
import { RegisterForm } from './RegisterForm.tsx';

export interface RegisterDialogProps {
  /** The service whose registration is changed, or null for a new one. */
  readonly known: ReadService | null;
  readonly onClose: () => void;
}

/** Registers a service, or changes a registration. */
export function RegisterDialog({ known, onClose }: RegisterDialogProps) {
  const { t } = useGatewayText();
  const { toasts } = useServices();
  const queries = useQueryClient();
  // As it was when the form was filled: what others change meanwhile is not overwritten.
  const [before] = useState(known);
  const [draft, setDraft] = useState(before ? draftOf(before.record) : EMPTY);
  const registration = useMutation({
    mutationFn: () => registerService(registrationOf(draft), before?.etag ?? null),
    onSuccess: async ({ name }) => {
      toasts.show(t('register.done', { name }), 'good');
      onClose();
      await queries.invalidateQueries({ queryKey: servicesQuery.queryKey });
    },
  });
  const title = before
    ? t('register.editTitle', { name: before.record.name })
    : t('register.title');
  return (
    <Dialog title={title} onClose={onClose}>
      <RegisterForm
        draft={draft}
        kind={before ? 'change' : 'new'}
        error={registration.error}
        isSending={registration.isPending}
        onChange={(change) => setDraft({ ...draft, ...change })}
        onSubmit={() => registration.mutate()}
        onClose={onClose}
      />
    </Dialog>
  );
}
