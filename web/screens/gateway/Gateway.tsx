import { useQuery } from '@tanstack/react-query';
import { use, useState } from 'react';
import {
  type ServiceRecord,
  type ServicesHealth,
  ServiceStatus,
} from '../../../edge/contract/service.ts';
import { servicesHealthQuery, servicesQuery } from '../../api/queries.ts';
import { useIsAdmin } from '../../app/session.ts';
import { optionsOf } from '../../records/options.ts';
import { NavigationContext } from '../../routing/navigation-context.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Grid } from '../../ui/Layout.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Resource } from '../../ui/Resource.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { oneOf, text, type Values } from '../../url-state/fields.ts';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { RegisterDialog } from './register/RegisterDialog.tsx';
import { ServiceDetail } from './ServiceDetail.tsx';
import { ServiceTable } from './ServiceTable.tsx';
import { type GatewayText, useGatewayText } from './words/en-gateway.ts';

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

/** The result of `GET /services/health?strict=true` as a sentence. */
function strictSentence({ t, format }: GatewayText, { services }: ServicesHealth): string {
  const names = Object.keys(services);
  const critical = names.filter((name) => services[name]?.status === 'critical');
  if (critical.length === 0) return t('lead.passes', { count: names.length });
  return t('lead.fails', { failing: format.list(critical) });
}

const STATUSES = ['', ...ServiceStatus.options] as const;
const FILTERS = { status: oneOf('', STATUSES), tag: text('', 64) };
type Filters = Values<typeof FILTERS>;
const NO_FILTERS: Filters = { status: '', tag: '' };

/** All services, filtered by status and tag. */
function ServiceList() {
  const { t } = useGatewayText();
  return (
    <Panel title={t('list.title')} note={t('list.note')}>
      <Resource
        query={useQuery(servicesQuery)}
        skeleton={{ lines: 5, lineRem: 3 }}
        stale="reported"
      >
        {({ services }) => <Results services={services} />}
      </Resource>
    </Panel>
  );
}

function Results({ services }: { readonly services: readonly ServiceRecord[] }) {
  const { t } = useGatewayText();
  const [filters, setFilters] = useUrlState(FILTERS);
  const shown = services.filter(matches(filters));
  return (
    <>
      <ServiceFilters services={services} filters={filters} onChange={setFilters} />
      {shown.length > 0 && <ServiceTable services={shown} />}
      {shown.length === 0 && (
        <EmptyState
          icon="search"
          title={t('list.empty')}
          action={<Button onClick={() => setFilters(NO_FILTERS)}>{t('list.clear')}</Button>}
        >
          {t('list.emptyHelp')}
        </EmptyState>
      )}
    </>
  );
}

const matches =
  ({ status, tag }: Filters) =>
  (service: ServiceRecord) =>
    (status === '' || service.status === status) && (tag === '' || service.tags.includes(tag));

interface ServiceFiltersProps {
  readonly services: readonly ServiceRecord[];
  readonly filters: Filters;
  readonly onChange: (change: Partial<Filters>) => void;
}

function ServiceFilters({ services, filters, onChange }: ServiceFiltersProps) {
  const { t } = useGatewayText();
  // A tag in the address that no service has is offered too: it is the current choice.
  const named = filters.tag === '' ? [] : [filters.tag];
  const tags = [...new Set([...services.flatMap((service) => service.tags), ...named])].toSorted();
  return (
    <Grid as="search" min="12rem" columns="fill" gap={[3, 4]} aria-label={t('list.filters')}>
      <SelectField
        label={t('service.status')}
        value={filters.status}
        options={optionsOf(STATUSES, (value) =>
          value === '' ? t('list.any') : t(`service.${value}`),
        )}
        onChange={(status) => onChange({ status })}
      />
      <SelectField
        label={t('list.tag')}
        value={filters.tag}
        options={['', ...tags].map((value) => ({ value, label: value || t('list.any') }))}
        onChange={(tag) => onChange({ tag })}
      />
    </Grid>
  );
}
