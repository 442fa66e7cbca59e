import type { KeyRecord, KeyStatus } from '../../../edge/access/contract/keys.ts';
import { useSession } from '../../app/session.ts';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import css from './Keys.module.css';
import { useKeysText, type KeysText } from './words/en-keys.ts';
import { Scopes } from './Scopes.tsx';

const TONES: Readonly<Record<KeyStatus, BadgeTone>> = {
  active: 'good',
  expired: 'warn',
  revoked: 'bad',
};

interface KeyTableProps {
  readonly keys: readonly KeyRecord[];
  readonly onRevoke: (key: KeyRecord) => void;
}

/** A line for each key; its secret is nowhere. */
export function KeyTable({ keys, onRevoke }: KeyTableProps) {
  const text = useKeysText();
  const session = useSession();
  const ownId = session?.kind === 'session' ? session.id : null;
  return (
    <Table
      caption={text.t('keys.title')}
      columns={[...whatColumns(text, ownId), ...whenColumns(text), actionColumn(text, onRevoke)]}
      rows={keys}
      rowKey={(key) => key.key_id}
    />
  );
}

function whatColumns({ t }: KeysText, ownId: string | null): readonly Column<KeyRecord>[] {
  return [
    {
      key: 'name',
      title: t('keys.name'),
      cell: ({ name, team, key_id: id }) => (
        <span className={css['name']}>
          <strong>{name}</strong>
          <code className={css['small']}>{id}</code>
          <span className={css['small']}>{t('keys.team', { team })}</span>
          {id === ownId && <span className={css['small']}>{t('keys.mine')}</span>}
        </span>
      ),
    },
    {
      key: 'status',
      title: t('keys.status'),
      cell: ({ status }) => <Badge tone={TONES[status]}>{t(`status.${status}`)}</Badge>,
    },
    {
      key: 'scopes',
      title: t('keys.scopes'),
      cell: ({ scopes }) => <Scopes scopes={scopes} />,
    },
  ];
}

function whenColumns({ t, format }: KeysText): readonly Column<KeyRecord>[] {
  return [
    {
      key: 'created',
      title: t('keys.created'),
      cell: ({ created_at: at, created_by: who }) => (
        <span className={css['name']}>
          <RelativeTime time={at} />
          <span className={css['small']}>{t('keys.by', { who })}</span>
        </span>
      ),
    },
    {
      key: 'expires',
      title: t('keys.expires'),
      cell: ({ expires_at: at }) =>
        at === null ? t('keys.never') : <time dateTime={at}>{format.dateTime(new Date(at))}</time>,
    },
    {
      key: 'lastUsed',
      title: t('keys.lastUsed'),
      cell: ({ last_used_at: at }) => (at === null ? t('keys.unused') : <RelativeTime time={at} />),
    },
  ];
}

function actionColumn({ t }: KeysText, onRevoke: KeyTableProps['onRevoke']): Column<KeyRecord> {
  return {
    key: 'action',
    title: t('keys.action'),
    cell: (key) => key.status === 'active' && <Revoke apiKey={key} onRevoke={onRevoke} />,
  };
}

interface RevokeProps {
  readonly apiKey: KeyRecord;
  readonly onRevoke: (key: KeyRecord) => void;
}

function Revoke({ apiKey, onRevoke }: RevokeProps) {
  const { t } = useKeysText();
  return (
    <Button
      tone="danger"
      aria-label={t('keys.revoke', { name: apiKey.name })}
      onClick={() => onRevoke(apiKey)}
    >
      {t('keys.revokeShort')}
    </Button>
  );
}
