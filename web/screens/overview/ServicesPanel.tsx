import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { ServiceRecord, ServiceStatus } from '../../../edge/contract/service.ts';
import { servicesHealthQuery, servicesQuery } from '../../api/queries.ts';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { useOverviewText } from './words/en-overview.ts';

/** The head, and the services that every platform has. */
const LINES = 7;

const TONES: Readonly<Record<ServiceStatus, BadgeTone>> = {
  passing: 'good',
  warning: 'warn',
  critical: 'bad',
  unknown: 'neutral',
};

/** The services behind the gateway, each with its state. */
export function ServicesPanel() {
  const { t } = useOverviewText();
  const services = useQuery(servicesQuery);
  const health = useQuery(servicesHealthQuery);
  const stateOf = ({ name, status }: ServiceRecord) =>
    health.data?.services[name]?.status ?? status;
  const columns = useColumns(stateOf);
  return (
    <Panel title={t('overview.services')}>
      {services.isPending && <Skeleton lines={LINES} lineRem={2.6} />}
      {services.isError && (
        <ErrorState error={services.error} onRetry={() => void services.refetch()} />
      )}
      {services.data && (
        <Table
          caption={t('overview.services')}
          columns={columns}
          rows={services.data.services}
          rowKey={({ name }) => name}
        />
      )}
    </Panel>
  );
}

function useColumns(
  stateOf: (service: ServiceRecord) => ServiceStatus,
): readonly Column<ServiceRecord>[] {
  const { t, format } = useOverviewText();
  return [
    {
      key: 'name',
      title: t('service.name'),
      cell: ({ name }) => (
        <Link href={`/gateway?service=${encodeURIComponent(name)}`}>
          <strong>{name}</strong>
        </Link>
      ),
    },
    {
      key: 'status',
      title: t('service.status'),
      cell: (service) => {
        const state = stateOf(service);
        return <Badge tone={TONES[state]}>{t(`service.${state}`)}</Badge>;
      },
    },
    { key: 'version', title: t('service.version'), cell: ({ version }) => version ?? '–' },
    {
      key: 'instances',
      title: t('service.instances'),
      align: 'end',
      cell: ({ instances }) => format.integer(instances.length),
    },
    {
      key: 'checked',
      title: t('service.lastCheck'),
      align: 'end',
      cell: (service) => <LastCheck service={service} />,
    },
  ];
}

function LastCheck({ service }: { readonly service: ServiceRecord }) {
  const { t } = useOverviewText();
  const checks = service.instances.flatMap(({ last_check_at: at }) => (at === null ? [] : at));
  const latest = checks.toSorted().at(-1);
  return latest === undefined ? t('service.never') : <RelativeTime time={latest} />;
}
