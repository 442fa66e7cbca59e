import { useState } from 'react';
import { type CreatedReceiver, NewReceiver } from '../../../edge/alerts/contract/alert-receiver.ts';
import { EventType } from '../../../edge/events/contract/platform-event.ts';
import { ALERTS_KEY, createReceiver } from '../../api/alerts.ts';
import { useChange } from '../../app/use-change.ts';
import { useCopy } from '../../app/use-copy.ts';
import { Button } from '../../ui/Button.tsx';
import { CheckGroup } from '../../ui/CheckGroup.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { SchemaField, useSchemaForm } from '../../ui/SchemaField.tsx';
import { useAlertsText } from './alerts-text.ts';
import css from './Alerts.module.css';

/** Creates a webhook and shows its secret once. */
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
  const form = useSchemaForm(NewReceiver, { send_resolved: true, events: [] });
  const create = useChange(ALERTS_KEY, {
    change: createReceiver,
    said: ({ name }) => name,
    onDone: onCreated,
  });
  const { events } = form.draft;
  return (
    <FormDialog
      title={t('receivers.new')}
      submit={t('receivers.create')}
      isReady={form.value !== undefined}
      request={create}
      onSubmit={() => form.submit(create.mutate)}
      onClose={onClose}
    >
      <SchemaField {...form.field('name')} label={t('rule.name')} hint={t('receivers.nameHint')} />
      <SchemaField
        {...form.field('url')}
        label={t('receivers.url')}
        hint={t('receivers.urlHint')}
        expected={t('receivers.badUrl')}
      />
      <div>
        <SchemaField {...form.field('send_resolved')} label={t('receivers.resolved')} />
      </div>
      <CheckGroup
        legend={t('receivers.events')}
        hint={t('receivers.eventsHint')}
        options={EventType.options}
        meaning={(type) => t(`event.${type}`)}
        chosen={Array.isArray(events) ? events : []}
        onChange={(chosen) => form.change({ events: [...chosen] })}
      />
    </FormDialog>
  );
}

interface SecretDialogProps {
  readonly receiver: CreatedReceiver;
  readonly onClose: () => void;
}

function SecretDialog({ receiver, onClose }: SecretDialogProps) {
  const { t } = useAlertsText();
  const copy = useCopy();
  return (
    <Dialog title={t('receivers.secretTitle', { name: receiver.name })} onClose={onClose}>
      <p>{t('receivers.secretNote')}</p>
      <output className={css['secret']} aria-label={t('receivers.secret')}>
        {receiver.secret}
      </output>
      <DialogActions>
        <Button icon="copy" onClick={() => void copy(receiver.secret)}>
          {t('receivers.copySecret')}
        </Button>
        <Button tone="primary" onClick={onClose}>
          {t('receivers.seen')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
