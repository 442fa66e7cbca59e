import { useQuery } from '@tanstack/react-query';
import { use, useState } from 'react';
import { servicesHealthQuery } from '../../api/queries.ts';
import { useIsAdmin } from '../../app/session.ts';
import { NavigationContext } from '../../routing/navigation-context.ts';
import { Button } from '../../ui/Button.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { text } from '../../url-state/fields.ts';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { useGatewayText } from './gateway-text.ts';
import { RegisterDialog } from './register/RegisterDialog.tsx';
import { ServiceDetail } from './ServiceDetail.tsx';
import { ServiceList } from './ServiceList.tsx';
import { strictSentence } from './strict-health.ts';

const FIELDS = { service: text('', 63) };

/** The services behind the gateway, or the one that the address names. */
export function Gateway() {
  const [{ service }] = useUrlState(FIELDS);
  const [first] = useState(service);
  const [hasMoved, setHasMoved] = useState(false);
  if (!hasMoved && service !== first) setHasMoved(true);
  const arrival = use(NavigationContext);
  return (
    <NavigationContext value={hasMoved ? 'navigated' : arrival}>
      {service === '' ? <AllServices /> : <ServiceDetail key={service} name={service} />}
    </NavigationContext>
  );
}

function AllServices() {
  const { t } = useGatewayText();
  const isAdmin = useIsAdmin();
  const [dialog, setDialog] = useState<'register' | 'none'>('none');
  const actions = isAdmin && (
    <Button tone="primary" icon="add" onClick={() => setDialog('register')}>
      {t('register.open')}
    </Button>
  );
  return (
    <Screen lead={<StrictHealth />} actions={actions} width="wide">
      <ServiceList />
      {dialog === 'register' && <RegisterDialog known={null} onClose={() => setDialog('none')} />}
    </Screen>
  );
}

function StrictHealth() {
  const words = useGatewayText();
  const { data, isError } = useQuery(servicesHealthQuery);
  if (data) return strictSentence(words, data);
  return words.t(isError ? 'lead.unknown' : 'lead.asking');
}
