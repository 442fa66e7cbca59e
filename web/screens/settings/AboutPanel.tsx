import { useQuery } from '@tanstack/react-query';
import { healthQuery } from '../../api/queries.ts';
import { useText } from '../../i18n/text-context.ts';
import { uptimeText } from '../../i18n/uptime.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

/** Which gateway this page talks to. */
export function AboutPanel() {
  const text = useText();
  const { t } = text;
  const { data, error, refetch } = useQuery(healthQuery);
  return (
    <Panel title={t('settings.about')} note={t('settings.aboutNote')}>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton lines={2} lineRem={2.5} />}
      {data && (
        <Facts
          facts={[
            {
              label: t('settings.gateway'),
              value: t('settings.gatewayVersion', { version: data.version }),
            },
            { label: t('settings.uptime'), value: uptimeText(text, data.uptime_s) },
          ]}
        />
      )}
    </Panel>
  );
}
