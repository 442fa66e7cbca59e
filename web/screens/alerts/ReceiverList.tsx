import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type CreatedReceiver,
  type Delivery,
  NewReceiver,
  type Receiver,
} from '../../../edge/alerts/contract/alert-receiver.ts';
import { EventType } from '../../../edge/events/contract/platform-event.ts';
import {
  ALERTS_KEY,
  createReceiver,
  deleteReceiver,
  receiversQuery,
  testReceiver,
} from '../../api/alerts.ts';
import { useChange } from '../../app/use-change.ts';
import { useCopy } from '../../app/use-copy.ts';
import { column, endColumn } from '../../records/columns.ts';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { CheckGroup } from '../../ui/CheckGroup.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Note, Row, Stack } from '../../ui/Layout.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Resource } from '../../ui/Resource.tsx';
import { SchemaField, useSchemaForm } from '../../ui/SchemaField.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import css from './Alerts.module.css';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { type AlertsText, useAlertsText } from './words/en-alerts.ts';

/** The webhooks with their latest deliveries. */
export function ReceiverList() {
  const { t } = useAlertsText();
  const [isMaking, setIsMaking] = useState(false);
  const [deleting, setDeleting] = useState<Receiver>();
  return (
    <Stack>
      <Row justify="space-between" gap={[2, 4]}>
        <Button tone="primary" onClick={() => setIsMaking(true)}>
          {t('receivers.new')}
        </Button>
      </Row>
      <Resource
        query={useQuery(receiversQuery)}
        skeleton={{ lines: 3, lineRem: 3 }}
        isEmpty={({ receivers }) => receivers.length === 0}
        empty={<EmptyState title={t('receivers.none')}>{t('receivers.noneHelp')}</EmptyState>}
      >
        {({ receivers }) => <Receivers receivers={receivers} onDelete={setDeleting} />}
      </Resource>
      {isMaking && <ReceiverDialog onClose={() => setIsMaking(false)} />}
      {deleting && (
        <ConfirmDialog
          title={t('receivers.deleteTitle', { name: deleting.name })}
          body={t('receivers.deleteBody')}
          confirm={t('ui.delete')}
          said={t('receivers.deleted', { name: deleting.name })}
          onConfirm={() => deleteReceiver(deleting.id)}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </Stack>
  );
}

interface ReceiversProps {
  readonly receivers: readonly Receiver[];
  readonly onDelete: (receiver: Receiver) => void;
}

function Receivers({ receivers, onDelete }: ReceiversProps) {
  const text = useAlertsText();
  const { t } = text;
  const test = useChange(ALERTS_KEY, {
    change: async (receiver: Receiver) => {
      await testReceiver(receiver.id);
      return receiver;
    },
    said: ({ name }) => t('receivers.tested', { name }),
  });
  return (
    <>
      {test.isError && <ErrorState error={test.error} />}
      <Table
        caption={t('tab.receivers')}
        columns={receiverColumns(text, { onDelete, onTest: test.mutate })}
        rows={receivers}
        rowKey={({ id }) => id}
      />
    </>
  );
}

interface ReceiverActions {
  readonly onDelete: (receiver: Receiver) => void;
  readonly onTest: (receiver: Receiver) => void;
}

function receiverColumns(
  { t, format }: AlertsText,
  { onDelete, onTest }: ReceiverActions,
): readonly Column<Receiver>[] {
  return [
    column(t('receivers.name'), ({ name, id }) => (
      <Stack as="span" gap={0} align="flex-start" style={{ minWidth: '12rem' }}>
        {name}
        <Note as="code">{id}</Note>
      </Stack>
    )),
    column(t('receivers.url'), ({ url }) => <code className={css['expr']}>{url}</code>),
    column(t('receivers.groups'), (receiver) => format.list(receiver.group_by)),
    column(t('receivers.events'), ({ events }) => (
      <span className={css['expr']}>
        {events.length > 0 ? format.list(events) : t('receivers.noEvents')}
      </span>
    )),
    column(t('receivers.last'), ({ deliveries }) => <LastDelivery delivery={deliveries[0]} />),
    endColumn(t('receivers.actions'), (receiver) => (
      <Row as="span" gap={1} justify="flex-end">
        <Button tone="quiet" onClick={() => onTest(receiver)}>
          {t('receivers.test')}
        </Button>
        <IconButton
          icon="trash"
          label={t('receivers.delete', { name: receiver.name })}
          onClick={() => onDelete(receiver)}
        />
      </Row>
    )),
  ];
}

const TONES: Readonly<Record<Delivery['status'], BadgeTone>> = {
  waiting: 'neutral',
  delivered: 'good',
  failed: 'bad',
};

function LastDelivery({ delivery }: { readonly delivery: Delivery | undefined }) {
  const { t } = useAlertsText();
  if (!delivery) return t('receivers.noDelivery');
  const { status, http_status: answered, error, last_attempt_at: at } = delivery;
  return (
    <Row as="span" title={error ?? undefined}>
      <Badge tone={TONES[status]}>{t(`delivery.${status}`)}</Badge>
      {answered !== null && <span>{t('delivery.status', { status: String(answered) })}</span>}
      {at !== null && (
        <Note as="span">
          <RelativeTime time={at} />
        </Note>
      )}
    </Row>
  );
}

/** Creates a webhook and shows its secret once. */
function ReceiverDialog({ onClose }: { readonly onClose: () => void }) {
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
