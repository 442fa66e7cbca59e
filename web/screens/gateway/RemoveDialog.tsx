import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { deleteService, type ReadService } from '../../api/gateway-client.ts';
import { serviceQuery, servicesHealthQuery, servicesQuery } from '../../api/queries.ts';
import { useServices } from '../../app/services.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { useGatewayText } from './gateway-text.ts';

export interface RemoveDialogProps {
  readonly service: ReadService;
  readonly onClose: () => void;
}

/** Asks before the gateway stops forwarding to a service. */
export function RemoveDialog({ service, onClose }: RemoveDialogProps) {
  const { t } = useGatewayText();
  const { toasts } = useServices();
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  // As it was when the question was asked: what others change meanwhile is not removed.
  const [{ record, etag }] = useState(service);
  const { name } = record;
  const removal = useMutation({
    mutationFn: () => deleteService(name, etag),
    onSuccess: async () => {
      toasts.show(t('remove.done', { name }), 'good');
      navigate('/gateway');
      // Not the service itself, which is in sight until the page has moved on.
      const { queryKey } = servicesQuery;
      await queries.invalidateQueries({ queryKey, exact: true });
      await queries.invalidateQueries(servicesHealthQuery);
      queries.removeQueries({ queryKey: serviceQuery(name).queryKey });
    },
  });
  return (
    <Dialog title={t('remove.title', { name })} onClose={onClose}>
      <p>{t('remove.body', { name })}</p>
      {removal.error && <ErrorState error={removal.error} />}
      <DialogActions>
        <Button onClick={onClose}>{t('remove.keep')}</Button>
        <Button
          tone="danger"
          icon="trash"
          state={removal.isPending ? 'blocked' : 'ready'}
          onClick={() => removal.mutate()}
        >
          {t('remove.confirm', { name })}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
