import { Link } from 'wouter';
import type { ServiceRecord } from '../../../edge/contract/service.ts';
import { Table, type Column } from '../../ui/Table.tsx';
import { useNow } from '../../ui/use-now.ts';
import css from './Gateway.module.css';
import { useGatewayText, type GatewayText } from './gateway-text.ts';
import { figuresOf, type ServiceFigures } from './service-figures.ts';
import { ServiceStatusBadge } from './ServiceStatusBadge.tsx';

export interface ServiceTableProps {
  readonly services: readonly ServiceRecord[];
}

interface Row {
  readonly service: ServiceRecord;
  readonly figures: ServiceFigures;
}

/** A line for each service; ejections count down. */
export function ServiceTable({ services }: ServiceTableProps) {
  const text = useGatewayText();
  const now = useNow(1_000);
  return (
    <Table
      caption={text.t('list.title')}
      columns={columnsOf(text)}
      rows={services.map((service) => ({ service, figures: figuresOf(service, now) }))}
      rowKey={({ service }) => service.name}
    />
  );
}

function columnsOf(text: GatewayText): readonly Column<Row>[] {
  const { t } = text;
  return [
    { key: 'name', title: t('service.name'), cell: ({ service }) => <Name service={service} /> },
    {
      key: 'status',
      title: t('service.status'),
      cell: ({ service }) => <ServiceStatusBadge status={service.status} />,
    },
    {
      key: 'origin',
      title: t('list.origin'),
      cell: ({ service }) => t(`origin.${service.origin}`),
    },
    { key: 'version', title: t('service.version'), cell: ({ service }) => service.version ?? '–' },
    ...figureColumnsOf(text),
  ];
}

function figureColumnsOf({ t, format }: GatewayText): readonly Column<Row>[] {
  return [
    {
      key: 'passing',
      title: t('list.passing'),
      align: 'end',
      cell: ({ figures: { passing, total } }) => t('list.passingOf', { passing, total }),
    },
    {
      key: 'latency',
      title: t('list.latency'),
      align: 'end',
      cell: ({ figures: { latencyMs } }) =>
        latencyMs === null ? '–' : t('list.ms', { value: latencyMs }),
    },
    {
      key: 'inFlight',
      title: t('list.inFlight'),
      align: 'end',
      cell: ({ figures }) => format.integer(figures.inFlight),
    },
    {
      key: 'ejected',
      title: t('list.ejected'),
      align: 'end',
      cell: ({ figures: { ejected, ejectedForMs } }) =>
        ejectedForMs === null ? (
          '–'
        ) : (
          <span className={css['ejected']}>
            {t('ejected.for', { count: ejected, seconds: Math.ceil(ejectedForMs / 1000) })}
          </span>
        ),
    },
    {
      key: 'lastError',
      title: t('list.lastError'),
      cell: ({ figures: { lastError } }) => <LastError error={lastError} />,
    },
  ];
}

/** In the gateway's own words, which are English. */
export function LastError({ error }: { readonly error: string | null }) {
  if (error === null) return '–';
  return (
    <span className={css['error']} lang="en">
      {error}
    </span>
  );
}

function Name({ service: { name, tags } }: { readonly service: ServiceRecord }) {
  return (
    <span className={css['name']}>
      <Link href={`/gateway?service=${encodeURIComponent(name)}`}>{name}</Link>
      {tags.length > 0 && (
        <span className={css['tags']}>
          {tags.map((tag) => (
            <span key={tag} className={css['tag']}>
              {tag}
            </span>
          ))}
        </span>
      )}
    </span>
  );
}
