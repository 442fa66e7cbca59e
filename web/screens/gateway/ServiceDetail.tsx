import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { ReadService } from '../../api/gateway-client.ts';
import { serviceQuery } from '../../api/queries.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import css from './Gateway.module.css';
import { useGatewayText } from './gateway-text.ts';
import { InstanceTable } from './InstanceTable.tsx';
import { ServiceActions } from './ServiceActions.tsx';
import { PolicyFacts, RegistrationFacts } from './ServiceFacts.tsx';
import { ServiceStatusBadge } from './ServiceStatusBadge.tsx';

/** One service: its instances, how it is asked for its health, and what was registered. */
export function ServiceDetail({ name }: { readonly name: string }) {
  const { t } = useGatewayText();
  const { data, error, refetch } = useQuery(serviceQuery(name));
  const actions = (
    <>
      <Link href="/gateway" className={buttonClass('secondary')}>
        {t('service.back')}
      </Link>
      {data && <ServiceActions service={data} />}
    </>
  );
  return (
    <Screen
      title={name}
      lead={data && <ServiceStatusBadge status={data.record.status} />}
      actions={actions}
      width="wide"
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && <Parts service={data} />}
      {!data && !error && <Skeleton lines={8} lineRem={3} />}
    </Screen>
  );
}

function Parts({ service: { record } }: { readonly service: ReadService }) {
  const { t } = useGatewayText();
  const isBuiltIn = record.origin === 'built-in';
  return (
    <>
      <Panel title={t('instance.title')}>
        <InstanceTable instances={record.instances} />
      </Panel>
      <div className={css['parts']}>
        <Panel title={t('service.facts')}>
          <RegistrationFacts service={record} />
        </Panel>
        <Panel
          title={t('service.policy')}
          note={t(isBuiltIn ? 'service.policyBuiltIn' : 'service.policyNote')}
        >
          <PolicyFacts policy={record.health} />
        </Panel>
      </div>
    </>
  );
}
