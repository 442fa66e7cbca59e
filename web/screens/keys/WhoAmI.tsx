import { useQuery } from '@tanstack/react-query';
import type { Session } from '../../../edge/access/contract/session.ts';
import { sessionQuery } from '../../api/session-client.ts';
import { Facts } from '../../ui/Facts.tsx';
import { Resource } from '../../ui/Resource.tsx';
import { useKeysText } from './words/en-keys.ts';
import { Part } from './Part.tsx';
import { Scopes } from './Scopes.tsx';

const KINDS = {
  anonymous: 'kind.anonymous',
  local: 'me.kindLocal',
  session: 'me.kindSession',
  token: 'me.kindToken',
  key: 'me.kindKey',
} as const;

/** Whom the gateway takes one for, and what that allows. */
export function WhoAmI() {
  const { t } = useKeysText();
  return (
    <Part title={t('me.title')} note={t('me.note')}>
      <Resource query={useQuery(sessionQuery)} skeleton={{ lines: 4, lineRem: 2.5 }}>
        {(session) => <SessionFacts session={session} />}
      </Resource>
    </Part>
  );
}

function SessionFacts({ session }: { readonly session: Session }) {
  const { t, format } = useKeysText();
  const { id, team, expires_at: end } = session;
  return (
    <Facts
      facts={[
        { label: t('me.kind'), value: t(KINDS[session.kind]) },
        { label: t('me.id'), value: id && <code>{id}</code> },
        { label: t('me.team'), value: team },
        { label: t('me.scopes'), value: <Scopes scopes={session.scopes} /> },
        {
          label: t('me.mode'),
          value: t(session.auth_mode === 'local' ? 'me.modeLocal' : 'me.modeRequired'),
        },
        { label: t('me.expires'), value: end && format.dateTime(new Date(end)) },
      ]}
    />
  );
}
