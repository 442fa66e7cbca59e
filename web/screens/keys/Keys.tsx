import type { ReactNode } from 'react';
import { useSession } from '../../app/session.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { oneOf } from '../../url-state/fields.ts';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { AuditLog } from './audit/AuditLog.tsx';
import { KeyList } from './KeyList.tsx';
import { useKeysText } from './words/en-keys.ts';
import { WhoAmI } from './WhoAmI.tsx';

const TABS = ['keys', 'audit', 'me'] as const;
const FIELDS = { tab: oneOf('keys', TABS) };

/** API keys, what was done with them and everything else that was administered, and one's own session. */
export function Keys() {
  const { t } = useKeysText();
  const [{ tab }, setState] = useUrlState(FIELDS);
  const contents = {
    keys: (
      <ForAdmins>
        <KeyList />
      </ForAdmins>
    ),
    audit: (
      <ForAdmins>
        <AuditLog />
      </ForAdmins>
    ),
    me: <WhoAmI />,
  };
  return (
    <Screen lead={t('lead')}>
      <Tabs
        label={t('parts')}
        tabs={TABS.map((value) => ({
          value,
          label: t(`tab.${value}`),
          content: contents[value],
        }))}
        value={tab}
        onChange={(chosen) => setState({ tab: chosen })}
      />
    </Screen>
  );
}

/** Other users see an explanation instead of an error. */
function ForAdmins({ children }: { readonly children: ReactNode }) {
  const { t } = useKeysText();
  const session = useSession();
  if (!session) return <Skeleton lines={8} lineRem={3} />;
  if (session.scopes.includes('admin')) return children;
  return (
    <EmptyState icon="key" title={t('admin.title')}>
      {t('admin.help')}
    </EmptyState>
  );
}
