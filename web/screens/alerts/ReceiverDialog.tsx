import { type FormEvent, useState } from 'react';
import type {
  CreatedReceiver,
  NewReceiverInput,
} from '../../../edge/alerts/contract/alert-receiver.ts';
import { EventType } from '../../../edge/events/contract/platform-event.ts';
import { ALERTS_KEY, createReceiver } from '../../api/alerts.ts';
import { useServices } from '../../app/services.ts';
import { useChange } from '../../app/use-change.ts';
import { Answers } from '../../ui/Answers.tsx';
import { Button } from '../../ui/Button.tsx';
import { CheckGroup } from '../../ui/CheckGroup.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { Toggle } from '../../ui/Toggle.tsx';
import { useAlertsText } from './alerts-text.ts';
import css from './Alerts.module.css';

/** What is written about a new receiver. */
interface ReceiverDraft {
  readonly name: string;
  readonly url: string;
  /** Whether it is told, too, that an alert is over. */
  readonly resolved: 'on' | 'off';
  /** What it is told beside alerts. */
  readonly events: readonly EventType[];
}

export const EMPTY_RECEIVER: ReceiverDraft = { name: '', url: '', resolved: 'on', events: [] };

const isAddress = (written: string): boolean =>
  /^https?:$/.test(URL.parse(written)?.protocol ?? '');

/** The receiver as it is asked for; undefined while something is missing. */
export function receiverOf({
  name,
  url,
  resolved,
  events,
}: ReceiverDraft): NewReceiverInput | undefined {
  if (name.trim() === '' || !isAddress(url)) return undefined;
  return { name, url, send_resolved: resolved === 'on', events: [...events] };
}

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
  const written = (part: Partial<ReceiverDraft>) => setForm({ ...form, ...part });
  const create = useChange(ALERTS_KEY, {
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
        <Answers>
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button type="submit" tone="primary" state={receiver ? 'ready' : 'blocked'}>
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
