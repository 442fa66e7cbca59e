import { useQuery } from '@tanstack/react-query';
import { type ServiceRecord, ServiceStatus } from '../../../edge/contract/service.ts';
import { servicesQuery } from '../../api/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { oneOf, text, type Values } from '../../url-state/fields.ts';
import { useUrlState } from '../../url-state/use-url-state.ts';
import css from './Gateway.module.css';
import { useGatewayText } from './gateway-text.ts';
import { ServiceTable } from './ServiceTable.tsx';

const STATUSES = ['', ...ServiceStatus.options] as const;
const FIELDS = { status: oneOf('', STATUSES), tag: text('', 64) };
type Filters = Values<typeof FIELDS>;
const NO_FILTERS: Filters = { status: '', tag: '' };

/** Every service with its figures, found by status and tag. */
export function ServiceList() {
  const { t } = useGatewayText();
  const { data, error, refetch } = useQuery(servicesQuery);
  return (
    <Panel title={t('list.title')} note={t('list.note')}>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={5} lineRem={3} />}
      {data && <Results services={data.services} />}
    </Panel>
  );
}

function Results({ services }: { readonly services: readonly ServiceRecord[] }) {
  const { t } = useGatewayText();
  const [filters, setFilters] = useUrlState(FIELDS);
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
  // A tag of the address that nobody has is offered as well: it is what is chosen.
  const named = filters.tag === '' ? [] : [filters.tag];
  const tags = [...new Set([...services.flatMap((service) => service.tags), ...named])].toSorted();
  return (
    <search className={css['filters']} aria-label={t('list.filters')}>
      <SelectField
        label={t('service.status')}
        value={filters.status}
        options={STATUSES.map((value) => ({
          value,
          label: value === '' ? t('list.any') : t(`service.${value}`),
        }))}
        onChange={(status) => onChange({ status })}
      />
      <SelectField
        label={t('list.tag')}
        value={filters.tag}
        options={['', ...tags].map((value) => ({ value, label: value || t('list.any') }))}
        onChange={(tag) => onChange({ tag })}
      />
    </search>
  );
}
