import { useQuery } from '@tanstack/react-query';
import { healthQuery } from '../../api/queries.ts';
import { useText } from '../../i18n/text-context.ts';
import { uptimeText } from '../../i18n/uptime.ts';
import { Facts } from '../../ui/Facts.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Resource } from '../../ui/Resource.tsx';

/** Which gateway this page talks to. */
export function AboutPanel() {
  const text = useText();
  const { t } = text;
  return (
    <Panel title={t('settings.about')} note={t('settings.aboutNote')}>
      <Resource query={useQuery(healthQuery)} skeleton={{ lines: 2, lineRem: 2.5 }}>
        {({ version, uptime_s: seconds }) => (
          <Facts
            facts={[
              { label: t('settings.gateway'), value: t('settings.gatewayVersion', { version }) },
              { label: t('settings.uptime'), value: uptimeText(text, seconds) },
            ]}
          />
        )}
      </Resource>
    </Panel>
  );
}
