import { useQuery } from '@tanstack/react-query';
import { probeDevice } from '../../api/device.ts';
import { useText } from '../../i18n/text-context.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { deviceFacts } from './device-facts.ts';

/** What the browser offers for computing, in words. */
export function DevicePanel() {
  const text = useText();
  const { t } = text;
  const { data, error } = useQuery({ queryKey: ['device'], queryFn: probeDevice });
  return (
    <Panel title={t('settings.device')} note={t('settings.deviceNote')}>
      {error && <ErrorState error={error} />}
      {!error && !data && <Skeleton lines={4} lineRem={2.5} />}
      {data && <Facts facts={deviceFacts(text, data)} />}
    </Panel>
  );
}
