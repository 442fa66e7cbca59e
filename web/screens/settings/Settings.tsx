import { probeDevice } from '../../api/device.ts';
import { healthQuery } from '../../api/health.ts';
import { Preferences } from '../../app/Preferences.tsx';
import { uptimeText } from '../../i18n/uptime.ts';
import { Facts } from '../../ui/Facts.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Resource } from '../../ui/Resource.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { deviceFacts } from './device-facts.ts';
import { useSettingsText } from './words/en-settings.ts';
import { useQuery } from '@tanstack/react-query';

export function Settings() {
  const { t } = useSettingsText();
  return (
    <Screen>
      <Panel title={t('settings.appearance')} note={t('settings.appearanceNote')}>
        <Preferences size="full" />
      </Panel>
      <DevicePanel />
      <AboutPanel />
    </Screen>
  );
}

/** Which gateway this page talks to. */
function AboutPanel() {
  const text = useSettingsText();
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

/** Compute devices of the browser, in words. */
function DevicePanel() {
  const text = useSettingsText();
  const { t } = text;
  const device = useQuery({ queryKey: ['device'], queryFn: probeDevice });
  return (
    <Panel title={t('settings.device')} note={t('settings.deviceNote')}>
      <Resource query={device} skeleton={{ lines: 4, lineRem: 2.5 }}>
        {(found) => <Facts facts={deviceFacts(text, found)} />}
      </Resource>
    </Panel>
  );
}
