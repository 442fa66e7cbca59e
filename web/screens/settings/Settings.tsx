import { Preferences } from '../../app/Preferences.tsx';
import { useText } from '../../i18n/text-context.ts';
import { Panel } from '../../ui/Panel.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { AboutPanel } from './AboutPanel.tsx';
import { DevicePanel } from './DevicePanel.tsx';

export function Settings() {
  const { t } = useText();
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
