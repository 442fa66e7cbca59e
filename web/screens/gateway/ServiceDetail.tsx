import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { HealthPolicy, ServiceRecord } from '../../../edge/contract/service.ts';
import { deleteService, type ReadService } from '../../api/gateway-client.ts';
import { serviceQuery, servicesHealthQuery, servicesQuery } from '../../api/queries.ts';
import { useServices } from '../../app/services.ts';
import { useIsAdmin } from '../../app/session.ts';
import { Chips } from '../../records/Chips.tsx';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { type Fact, Facts } from '../../ui/Facts.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Grid } from '../../ui/Layout.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { ResourceScreen } from '../../ui/Resource.tsx';
import { useNow } from '../../ui/use-now.ts';
import { InstanceTable } from './InstanceTable.tsx';
import { RegisterDialog } from './register/RegisterDialog.tsx';
import { ServiceStatusBadge } from './ServiceTable.tsx';
import { type GatewayText, useGatewayText } from './words/en-gateway.ts';

/** One service: its instances, health policy and registration. */
export function ServiceDetail({ name }: { readonly name: string }) {
  const { t } = useGatewayText();
  const query = useQuery(serviceQuery(name));
  const { data } = query;
  const actions = (
    <>
      <Link href="/gateway" className={buttonClass('secondary')}>
        {t('service.back')}
      </Link>
      {data && <ServiceActions service={data} />}
    </>
  );
  return (
    <ResourceScreen
      title={name}
      lead={data && <ServiceStatusBadge status={data.record.status} />}
      actions={actions}
      width="wide"
      query={query}
      skeleton={{ lines: 8, lineRem: 3 }}
      stale="reported"
    >
      {(service) => <Parts service={service} />}
    </ResourceScreen>
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
      <Grid min="24rem" gap={5} align="start">
        <Panel title={t('service.facts')}>
          <RegistrationFacts service={record} />
        </Panel>
        <Panel
          title={t('service.policy')}
          note={t(isBuiltIn ? 'service.policyBuiltIn' : 'service.policyNote')}
        >
          <PolicyFacts policy={record.health} />
        </Panel>
      </Grid>
    </>
  );
}

/** The actions of an administrator on a registered service. */
function ServiceActions({ service }: { readonly service: ReadService }) {
  const { t } = useGatewayText();
  const isAdmin = useIsAdmin();
  const [dialog, setDialog] = useState<'edit' | 'remove' | 'none'>('none');
  if (!isAdmin || service.record.origin !== 'registered') return null;
  const close = () => setDialog('none');
  return (
    <>
      <Button icon="write" onClick={() => setDialog('edit')}>
        {t('register.edit')}
      </Button>
      <Button tone="danger" icon="trash" onClick={() => setDialog('remove')}>
        {t('remove.open')}
      </Button>
      {dialog === 'edit' && <RegisterDialog known={service} onClose={close} />}
      {dialog === 'remove' && <RemoveDialog service={service} onClose={close} />}
    </>
  );
}

interface RemoveDialogProps {
  readonly service: ReadService;
  readonly onClose: () => void;
}

/** Confirms the removal of a service. */
function RemoveDialog({ service, onClose }: RemoveDialogProps) {
  const { t } = useGatewayText();
  const { toasts } = useServices();
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  // As it was when the dialog opened: a later version is not removed.
  const [{ record, etag }] = useState(service);
  const { name } = record;
  const removal = useMutation({
    mutationFn: () => deleteService(name, etag),
    onSuccess: async () => {
      toasts.show(t('remove.done', { name }), 'good');
      navigate('/gateway');
      // Not the service itself, which stays visible until the navigation is complete.
      const { queryKey } = servicesQuery;
      await queries.invalidateQueries({ queryKey, exact: true });
      await queries.invalidateQueries(servicesHealthQuery);
      queries.removeQueries({ queryKey: serviceQuery(name).queryKey });
    },
  });
  return (
    <FormDialog
      title={t('remove.title', { name })}
      submit={t('remove.confirm', { name })}
      cancel={t('remove.keep')}
      tone="danger"
      request={removal}
      onSubmit={() => removal.mutate()}
      onClose={onClose}
    >
      <p>{t('remove.body', { name })}</p>
    </FormDialog>
  );
}

/** The registration of a service. */
function RegistrationFacts({ service }: { readonly service: ServiceRecord }) {
  const text = useGatewayText();
  const isAdmin = useIsAdmin();
  const now = useNow(1_000);
  const { t, format } = text;
  const { name, origin, version, tags, meta } = service;
  const chips = (items: readonly string[]) =>
    items.length === 0 ? t('ui.none') : <Chips items={items} />;
  const date = (time: string) => format.dateTime(new Date(time));
  const facts: Fact[] = [
    { label: t('service.address'), value: <code>{`/${name}/`}</code> },
    { label: t('list.origin'), value: t(`origin.${origin}`) },
    { label: t('service.version'), value: version ?? '–' },
    { label: t('service.tags'), value: chips(tags) },
    { label: t('service.meta'), value: chips(propertiesOf(meta)) },
    { label: t('service.registered'), value: date(service.registered_at) },
    { label: t('service.updated'), value: date(service.updated_at) },
  ];
  if (origin === 'registered') {
    facts.push({ label: t('service.ttl'), value: renewalOf(text, service, now) });
  }
  if (isAdmin && origin === 'registered') {
    const log = `/keys?tab=audit&target=${encodeURIComponent(name)}`;
    const link = <Link href={log}>{t('service.changesLink')}</Link>;
    facts.push({ label: t('service.changes'), value: link });
  }
  return <Facts facts={facts} />;
}

function renewalOf(
  { t }: GatewayText,
  { ttl_s: ttl, expires_at: end }: ServiceRecord,
  now: number,
): string {
  if (ttl === null || end === null) return t('service.ttlNone');
  const left = Math.ceil((Date.parse(end) - now) / 1000);
  return left > 0 ? t('service.ttlLeft', { ttl, left }) : t('service.ttlOver', { ttl });
}

const propertiesOf = (meta: ServiceRecord['meta']) =>
  Object.entries(meta).map(([key, value]) => `${key}: ${value}`);

function PolicyFacts({ policy }: { readonly policy: HealthPolicy }) {
  const { t, format } = useGatewayText();
  const seconds = (value: number) => t('policy.seconds', { value });
  return (
    <Facts
      facts={[
        { label: t('policy.path'), value: <code>{policy.path}</code> },
        { label: t('policy.interval'), value: seconds(policy.interval_s) },
        { label: t('policy.timeout'), value: seconds(policy.timeout_s) },
        { label: t('policy.failures'), value: format.integer(policy.failures_before_critical) },
        { label: t('policy.successes'), value: format.integer(policy.success_before_passing) },
      ]}
    />
  );
}
