import type { ServiceInstance } from '../../../edge/contract/service.ts';
import { isConnected } from '../../../edge/outward/contract/connection.ts';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { useNow } from '../../ui/use-now.ts';
import { type GatewayText, useGatewayText } from './gateway-text.ts';
import css from './Gateway.module.css';
import { ejectedFor } from './service-figures.ts';
import { LastError, ServiceStatusBadge } from './ServiceTable.tsx';

interface InstanceTableProps {
  readonly instances: readonly ServiceInstance[];
}

/** Where a service runs, and how each place does. */
export function InstanceTable({ instances }: InstanceTableProps) {
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
    {
      key: 'id',
      title: t('instance.id'),
      cell: ({ id }) => <strong className={css['nowrap']}>{id}</strong>,
    },
    {
      key: 'status',
      title: t('service.status'),
      cell: ({ status }) => <ServiceStatusBadge status={status} />,
    },
    {
      key: 'url',
      title: t('instance.url'),
      cell: ({ url }) => {
        if (isConnected(url)) return t('instance.connected');
        return url.startsWith('worker:') ? t('instance.inWorker') : <code>{url}</code>;
      },
    },
    {
      key: 'region',
      title: t('instance.region'),
      cell: ({ region_id: region }) => region ?? '–',
    },
  ];
}

function trafficColumns(
  { t, format }: GatewayText,
  now: number,
): readonly Column<ServiceInstance>[] {
  return [
    {
      key: 'weight',
      title: t('instance.weight'),
      align: 'end',
      cell: ({ weight }) => format.number(weight),
    },
    {
      key: 'latency',
      title: t('list.latency'),
      align: 'end',
      cell: ({ latency_ms_ewma: ms }) => (ms === null ? '–' : t('list.ms', { value: ms })),
    },
    {
      key: 'inFlight',
      title: t('list.inFlight'),
      align: 'end',
      cell: (instance) => format.integer(instance.in_flight),
    },
    {
      key: 'failures',
      title: t('instance.failures'),
      align: 'end',
      cell: (instance) => format.integer(instance.consecutive_failures),
    },
    {
      key: 'ejected',
      title: t('list.ejected'),
      align: 'end',
      cell: (instance) => {
        const left = ejectedFor(instance, now);
        if (left === undefined) return '–';
        const words = t('ejected.one', { seconds: Math.ceil(left / 1000) });
        return <span className={css['ejected']}>{words}</span>;
      },
    },
  ];
}

function checkColumns({ t }: GatewayText): readonly Column<ServiceInstance>[] {
  return [
    {
      key: 'checked',
      title: t('service.lastCheck'),
      align: 'end',
      cell: ({ last_check_at: at }) =>
        at === null ? t('service.never') : <RelativeTime time={at} />,
    },
    {
      key: 'lastError',
      title: t('list.lastError'),
      cell: ({ last_error: error }) => <LastError error={error} />,
    },
  ];
}
