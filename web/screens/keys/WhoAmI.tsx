import { useQuery } from '@tanstack/react-query';
import type { Session } from '../../../edge/access/contract/session.ts';
import { sessionQuery } from '../../api/session-client.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useKeysText } from './keys-text.ts';
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
  const { data, error, refetch } = useQuery(sessionQuery);
  return (
    <Part title={t('me.title')} note={t('me.note')}>
      {data && <SessionFacts session={data} />}
      {!data && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={4} lineRem={2.5} />}
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
        ...(id === null ? [] : [{ label: t('me.id'), value: <code>{id}</code> }]),
        ...(team === null ? [] : [{ label: t('me.team'), value: team }]),
        { label: t('me.scopes'), value: <Scopes scopes={session.scopes} /> },
        {
          label: t('me.mode'),
          value: t(session.auth_mode === 'local' ? 'me.modeLocal' : 'me.modeRequired'),
        },
        ...(end === null
          ? []
          : [{ label: t('me.expires'), value: format.dateTime(new Date(end)) }]),
      ]}
    />
  );
}
