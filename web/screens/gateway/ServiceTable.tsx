import { Link } from 'wouter';
import type { ServiceRecord, ServiceStatus } from '../../../edge/contract/service.ts';
import { useText } from '../../i18n/text-context.ts';
import { Chips } from '../../records/Chips.tsx';
import { column, endColumn } from '../../records/columns.ts';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { useNow } from '../../ui/use-now.ts';
import css from './Gateway.module.css';
import { figuresOf, type ServiceFigures } from './service-figures.ts';
import { type GatewayText, useGatewayText } from './words/en-gateway.ts';

interface ServiceRow {
  readonly service: ServiceRecord;
  readonly figures: ServiceFigures;
}

/** A row per service; ejections count down. */
export function ServiceTable({ services }: { readonly services: readonly ServiceRecord[] }) {
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

function columnsOf(text: GatewayText): readonly Column<ServiceRow>[] {
  const { t } = text;
  return [
    column(t('service.name'), ({ service }) => <Name service={service} />),
    column(t('service.status'), ({ service }) => <ServiceStatusBadge status={service.status} />),
    column(t('list.origin'), ({ service }) => t(`origin.${service.origin}`)),
    column(t('service.version'), ({ service }) => service.version ?? '–'),
    ...figureColumnsOf(text),
  ];
}

function figureColumnsOf({ t, format }: GatewayText): readonly Column<ServiceRow>[] {
  return [
    endColumn(t('list.passing'), ({ figures: { passing, total } }) =>
      t('list.passingOf', { passing, total }),
    ),
    endColumn(t('list.latency'), ({ figures: { latencyMs } }) =>
      latencyMs === null ? '–' : t('list.ms', { value: latencyMs }),
    ),
    endColumn(t('list.inFlight'), ({ figures }) => format.integer(figures.inFlight)),
    endColumn(t('list.ejected'), ({ figures: { ejected, ejectedForMs } }) =>
      ejectedForMs === null ? (
        '–'
      ) : (
        <span className={css['ejected']}>
          {t('ejected.for', { count: ejected, seconds: Math.ceil(ejectedForMs / 1000) })}
        </span>
      ),
    ),
    column(t('list.lastError'), ({ figures: { lastError } }) => <LastError error={lastError} />),
  ];
}

/** The gateway's message, in English. */
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
      <Chips items={tags} />
    </span>
  );
}

const TONES: Readonly<Record<ServiceStatus, BadgeTone>> = {
  passing: 'good',
  warning: 'warn',
  critical: 'bad',
  unknown: 'neutral',
};

export function ServiceStatusBadge({ status }: { readonly status: ServiceStatus }) {
  return <Badge tone={TONES[status]}>{useText().t(`service.${status}`)}</Badge>;
}
