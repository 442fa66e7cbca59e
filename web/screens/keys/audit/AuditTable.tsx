import type { AuditEvent } from '../../../../edge/access/contract/audit.ts';
import { Table, type Column } from '../../../ui/Table.tsx';
import css from '../Keys.module.css';
import { useKeysText, type KeysText } from '../words/en-keys.ts';

interface AuditTableProps {
  readonly events: readonly AuditEvent[];
}

/** Who did what to what, and when. */
export function AuditTable({ events }: AuditTableProps) {
  const text = useKeysText();
  return (
    <Table
      caption={text.t('audit.title')}
      columns={columnsOf(text)}
      rows={events}
      rowKey={(event) => event.event_id}
    />
  );
}

function columnsOf({ t, format }: KeysText): readonly Column<AuditEvent>[] {
  return [
    {
      key: 'time',
      title: t('audit.time'),
      cell: ({ time }) => (
        <time className={css['nowrap']} dateTime={time} title={time}>
          {format.dateTime(new Date(time))}
        </time>
      ),
    },
    {
      key: 'action',
      title: t('audit.action'),
      cell: ({ action }) => (
        <span className={css['name']}>
          {t(`action.${action}`)}
          <code className={css['small']}>{action}</code>
        </span>
      ),
    },
    {
      key: 'actor',
      title: t('audit.actor'),
      cell: ({ actor: { kind, id } }) => (
        <span className={css['name']}>
          {t(`kind.${kind}`)}
          {id !== null && <code className={css['small']}>{id}</code>}
        </span>
      ),
    },
    { key: 'target', title: t('audit.target'), cell: ({ target }) => <code>{target}</code> },
    {
      key: 'detail',
      title: t('audit.detail'),
      cell: (event) => <Details event={event} />,
    },
  ];
}

function Details({ event: { detail, trace_id: trace } }: { readonly event: AuditEvent }) {
  const { t } = useKeysText();
  return (
    <span className={css['details']} lang="en">
      {Object.entries(detail).map(([name, value]) => (
        <span key={name}>{`${name}: ${value === null ? '–' : [value].flat().join(', ')}`}</span>
      ))}
      <span className={css['small']}>{t('ui.trace', { id: trace })}</span>
    </span>
  );
}
