import { useState, type FormEvent } from 'react';
import type { CreatedReceiver } from '../../../../edge/alerts/contract/alert-receiver.ts';
import { EventType } from '../../../../edge/events/contract/platform-event.ts';
import { createReceiver } from '../../../api/alerts.ts';
import { useServices } from '../../../app/services.ts';
import { Button } from '../../../ui/Button.tsx';
import { CheckGroup } from '../../../ui/CheckGroup.tsx';
import { Dialog, DialogActions } from '../../../ui/Dialog.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { Toggle } from '../../../ui/Toggle.tsx';
import css from '../Alerts.module.css';
import { useAlertsText } from '../alerts-text.ts';
import { useAlertChange } from '../use-alert-change.ts';
import {
  EMPTY_RECEIVER,
  isAddress,
  type ReceiverForm as Form,
  receiverOf,
} from './receiver-form.ts';

/** Adds a webhook, and shows its secret, once. */
export function ReceiverDialog({ onClose }: { readonly onClose: () => void }) {
  const [created, setCreated] = useState<CreatedReceiver>();
  if (created) return <SecretDialog receiver={created} onClose={onClose} />;
  return <ReceiverForm onCreated={setCreated} onClose={onClose} />;
}

interface ReceiverFormProps {
  readonly onCreated: (receiver: CreatedReceiver) => void;
  readonly onClose: () => void;
}

function ReceiverForm({ onCreated, onClose }: ReceiverFormProps) {
  const { t } = useAlertsText();
  const [form, setForm] = useState(EMPTY_RECEIVER);
  const written = (part: Partial<Form>) => setForm({ ...form, ...part });
  const create = useAlertChange({
    change: createReceiver,
    said: ({ name }) => name,
    onDone: onCreated,
  });
  const receiver = create.isPending ? undefined : receiverOf(form);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (receiver) create.mutate(receiver);
  }

  return (
    <Dialog title={t('receivers.new')} onClose={onClose}>
      <form className={css['form']} onSubmit={submit}>
        <TextField
          label={t('rule.name')}
          hint={t('receivers.nameHint')}
          value={form.name}
          maxLength={128}
          onChange={(name) => written({ name })}
        />
        <TextField
          label={t('receivers.url')}
          hint={t('receivers.urlHint')}
          error={form.url === '' || isAddress(form.url) ? undefined : t('receivers.badUrl')}
          value={form.url}
          maxLength={2048}
          onChange={(url) => written({ url })}
        />
        <div>
          <Toggle state={form.resolved} onToggle={(resolved) => written({ resolved })}>
            {t('receivers.resolved')}
          </Toggle>
        </div>
        <CheckGroup
          legend={t('receivers.events')}
          hint={t('receivers.eventsHint')}
          options={EventType.options}
          meaning={(type) => t(`event.${type}`)}
          chosen={form.events}
          onChange={(events) => written({ events })}
        />
        {create.isError && <ErrorState error={create.error} />}
        <DialogActions>
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button type="submit" tone="primary" state={receiver ? 'ready' : 'blocked'}>
            {t('receivers.create')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface SecretDialogProps {
  readonly receiver: CreatedReceiver;
  readonly onClose: () => void;
}

function SecretDialog({ receiver, onClose }: SecretDialogProps) {
  const { t } = useAlertsText();
  const { toasts } = useServices();

  async function copy() {
    try {
      await navigator.clipboard.writeText(receiver.secret);
      toasts.show(t('ui.copied'), 'good');
    } catch {
      toasts.show(t('ui.copyFailed'), 'bad');
    }
  }

  return (
    <Dialog title={t('receivers.secretTitle', { name: receiver.name })} onClose={onClose}>
      <p>{t('receivers.secretNote')}</p>
      <output className={css['secret']} aria-label={t('receivers.secret')}>
        {receiver.secret}
      </output>
      <DialogActions>
        <Button icon="copy" onClick={() => void copy()}>
          {t('receivers.copySecret')}
        </Button>
        <Button tone="primary" onClick={onClose}>
          {t('receivers.seen')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
