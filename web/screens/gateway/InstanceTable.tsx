import type { ServiceInstance } from '../../../edge/contract/service.ts';
import { isConnected } from '../../../edge/outward/contract/connection.ts';
import { column, endColumn } from '../../records/columns.ts';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { useNow } from '../../ui/use-now.ts';
import css from './Gateway.module.css';
import { ejectedFor } from './service-figures.ts';
import { LastError, ServiceStatusBadge } from './ServiceTable.tsx';
import { type GatewayText, useGatewayText } from './words/en-gateway.ts';

/** The instances of a service with their health and traffic. */
export function InstanceTable({ instances }: { readonly instances: readonly ServiceInstance[] }) {
  const text = useGatewayText();
  const now = useNow(1_000);
  return (
    <Table
      caption={text.t('instance.title')}
      columns={[...placeColumns(text), ...trafficColumns(text, now), ...checkColumns(text)]}
      rows={instances}
      rowKey={({ id }) => id}
    />
  );
}

function placeColumns({ t }: GatewayText): readonly Column<ServiceInstance>[] {
  return [
    column(t('instance.id'), ({ id }) => <strong className={css['nowrap']}>{id}</strong>),
    column(t('service.status'), ({ status }) => <ServiceStatusBadge status={status} />),
    column(t('instance.url'), ({ url }) => {
      if (isConnected(url)) return t('instance.connected');
      return url.startsWith('worker:') ? t('instance.inWorker') : <code>{url}</code>;
    }),
    column(t('instance.region'), ({ region_id: region }) => region ?? '–'),
  ];
}

function trafficColumns(
  { t, format }: GatewayText,
  now: number,
): readonly Column<ServiceInstance>[] {
  return [
    endColumn(t('instance.weight'), ({ weight }) => format.number(weight)),
    endColumn(t('list.latency'), ({ latency_ms_ewma: ms }) =>
      ms === null ? '–' : t('list.ms', { value: ms }),
    ),
    endColumn(t('list.inFlight'), (instance) => format.integer(instance.in_flight)),
    endColumn(t('instance.failures'), (instance) => format.integer(instance.consecutive_failures)),
    endColumn(t('list.ejected'), (instance) => {
      const left = ejectedFor(instance, now);
      if (left === undefined) return '–';
      const words = t('ejected.one', { seconds: Math.ceil(left / 1000) });
      return <span className={css['ejected']}>{words}</span>;
    }),
  ];
}

function checkColumns({ t }: GatewayText): readonly Column<ServiceInstance>[] {
  return [
    endColumn(t('service.lastCheck'), ({ last_check_at: at }) =>
      at === null ? t('service.never') : <RelativeTime time={at} />,
    ),
    column(t('list.lastError'), ({ last_error: error }) => <LastError error={error} />),
  ];
}
