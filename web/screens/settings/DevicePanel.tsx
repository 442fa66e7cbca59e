import { useQuery } from '@tanstack/react-query';
import { probeDevice } from '../../api/device.ts';
import { useText } from '../../i18n/text-context.ts';
import { Facts } from '../../ui/Facts.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Resource } from '../../ui/Resource.tsx';
import { deviceFacts } from './device-facts.ts';

/** What the browser offers for computing, in words. */
export function DevicePanel() {
  const text = useText();
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
