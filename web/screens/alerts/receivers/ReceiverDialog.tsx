import { useState, type FormEvent } from 'react';
import type { CreatedReceiver } from '../../../../edge/contract/alert-receiver.ts';
import { createReceiver } from '../../../api/alerts.ts';
import { useServices } from '../../../app/services.ts';
import { Answers } from '../../../ui/Answers.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { Toggle } from '../../../ui/Toggle.tsx';
import css from '../Alerts.module.css';
import { useAlertsText } from '../alerts-text.ts';
import { useAlertChange } from '../use-alert-change.ts';

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

const isAddress = (written: string) => /^https?:$/.test(URL.parse(written)?.protocol ?? '');

function ReceiverForm({ onCreated, onClose }: ReceiverFormProps) {
  const { t } = useAlertsText();
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [resolved, setResolved] = useState<'on' | 'off'>('on');
  const create = useAlertChange({
    change: createReceiver,
    said: (receiver) => receiver.name,
    onDone: onCreated,
  });
  const isReady = name.trim() !== '' && isAddress(url) && !create.isPending;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isReady) create.mutate({ name, url, send_resolved: resolved === 'on' });
  }

  return (
    <Dialog title={t('receivers.new')} onClose={onClose}>
      <form className={css['form']} onSubmit={submit}>
        <TextField
          label={t('rule.name')}
          hint={t('receivers.nameHint')}
          value={name}
          maxLength={128}
          onChange={setName}
        />
        <TextField
          label={t('receivers.url')}
          hint={t('receivers.urlHint')}
          error={url === '' || isAddress(url) ? undefined : t('receivers.badUrl')}
          value={url}
          maxLength={2048}
          onChange={setUrl}
        />
        <div>
          <Toggle state={resolved} onToggle={setResolved}>
            {t('receivers.resolved')}
          </Toggle>
        </div>
        {create.isError && <ErrorState error={create.error} />}
        <Answers>
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button type="submit" tone="primary" state={isReady ? 'ready' : 'blocked'}>
            {t('receivers.create')}
          </Button>
        </Answers>
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
      <Answers>
        <Button icon="copy" onClick={() => void copy()}>
          {t('receivers.copySecret')}
        </Button>
        <Button tone="primary" onClick={onClose}>
          {t('receivers.seen')}
        </Button>
      </Answers>
    </Dialog>
  );
}
