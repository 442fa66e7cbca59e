import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Alert, AlertState } from '../../../edge/alerts/contract/alert.ts';
import { type AlertSearch, alertsQuery } from '../../api/alerts.ts';
import { column, endColumn } from '../../records/columns.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Grid, Note, Stack } from '../../ui/Layout.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Resource } from '../../ui/Resource.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import { type AlertFields, type ChangeAlertFields, NO_FILTERS } from './alert-fields.ts';
import { badMatcherOf, piecesOf } from './alert-syntax.ts';
import { AlertDetail } from './AlertDetail.tsx';
import { SeverityBadge, StateBadge } from './StateBadge.tsx';
import { type AlertsText, useAlertsText } from './words/en-alerts.ts';

const TYPING_MS = 300;

interface AlertListProps {
  readonly fields: AlertFields;
  readonly onChange: ChangeAlertFields;
}

/** The firing, pending, suppressed and recently resolved alerts. */
export function AlertList({ fields, onChange }: AlertListProps) {
  const search = searchOf(useSettled(fields, TYPING_MS));
  return (
    <Stack>
      <AlertFilters fields={fields} onChange={onChange} />
      <Resource
        query={useQuery({ ...alertsQuery(search), placeholderData: keepPreviousData })}
        skeleton={{ lines: 5, lineRem: 3 }}
      >
        {({ alerts }) => <Found alerts={alerts} fields={fields} onChange={onChange} />}
      </Resource>
    </Stack>
  );
}

interface FoundProps extends AlertListProps {
  readonly alerts: readonly Alert[];
}

function Found({ alerts, fields, onChange }: FoundProps) {
  const text = useAlertsText();
  const shown = inState(alerts, fields.state);
  const open = (alert: Alert) => onChange({ alert: alert.fingerprint });
  return (
    <>
      <Note as="output">
        {text.t('list.counts', {
          firing: countOf(alerts, 'firing'),
          pending: countOf(alerts, 'pending'),
          suppressed: countOf(alerts, 'suppressed'),
        })}
      </Note>
      {shown.length === 0 ? (
        <NoAlerts fields={fields} onChange={onChange} />
      ) : (
        <Table
          caption={text.t('tab.list')}
          columns={alertColumns(text, open)}
          rows={shown}
          rowKey={({ fingerprint }) => fingerprint}
        />
      )}
      {fields.alert !== '' && (
        <AlertDetail
          alert={alerts.find(({ fingerprint }) => fingerprint === fields.alert)}
          onChange={onChange}
        />
      )}
    </>
  );
}

function NoAlerts({ fields, onChange }: AlertListProps) {
  const { t } = useAlertsText();
  const { severity, service, labels, state } = fields;
  const isFiltered = severity !== 'any' || service !== '' || labels !== '';
  if (isFiltered || (state !== 'now' && state !== 'all')) {
    return (
      <EmptyState
        icon="search"
        title={t('list.noMatch')}
        action={<Button onClick={() => onChange(NO_FILTERS)}>{t('list.clear')}</Button>}
      >
        {t('list.noMatchHelp')}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="check"
      title={t('list.none')}
      action={<Button onClick={() => onChange({ tab: 'rules' })}>{t('list.toRules')}</Button>}
    >
      {t('list.noneHelp')}
    </EmptyState>
  );
}

function alertColumns(
  { t, format }: AlertsText,
  open: (alert: Alert) => void,
): readonly Column<Alert>[] {
  return [
    column(t('list.name'), (alert) => (
      <Stack as="span" gap={0} align="flex-start" style={{ minWidth: '12rem' }}>
        <LinkButton onClick={() => open(alert)}>{alert.name}</LinkButton>
        <Note as="span">{alert.annotations.summary}</Note>
      </Stack>
    )),
    column(t('list.severity'), ({ severity }) => <SeverityBadge severity={severity} />),
    column(t('list.state'), ({ status }) => <StateBadge state={status.state} />),
    column(t('list.service'), (alert) => alert.service_name ?? '–'),
    endColumn(t('list.value'), ({ value }) => format.number(value)),
    endColumn(t('list.since'), ({ startsAt }) => <RelativeTime time={startsAt} />),
  ];
}

/** The search; incomplete matchers are left out. */
function searchOf({ severity, service, labels }: AlertFields): AlertSearch {
  const filter = badMatcherOf(labels) === undefined ? piecesOf(labels) : [];
  const wanted = service.trim();
  return {
    ...(severity !== 'any' && { severity }),
    ...(wanted !== '' && { service: wanted }),
    ...(filter.length > 0 && { filter }),
  };
}

function inState(alerts: readonly Alert[], state: AlertFields['state']): readonly Alert[] {
  if (state === 'all') return alerts;
  return alerts.filter(({ status }) =>
    state === 'now' ? status.state !== 'resolved' : status.state === state,
  );
}

const countOf = (alerts: readonly Alert[], state: AlertState): number =>
  alerts.filter(({ status }) => status.state === state).length;

const STATES = ['firing', 'pending', 'suppressed', 'resolved'] as const;
const SEVERITIES = ['critical', 'warning', 'info'] as const;

function AlertFilters({ fields, onChange }: AlertListProps) {
  const { t } = useAlertsText();
  const bad = badMatcherOf(fields.labels);
  return (
    <Grid as="search" min="10rem" gap={[3, 4]} align="start" aria-label={t('list.filters')}>
      <SelectField
        label={t('list.state')}
        options={[
          { value: 'now', label: t('list.now') },
          ...STATES.map((value) => ({ value, label: t(`state.${value}`) })),
          { value: 'all', label: t('list.all') },
        ]}
        value={fields.state}
        onChange={(state) => onChange({ state })}
      />
      <SelectField
        label={t('list.severity')}
        options={[
          { value: 'any', label: t('list.all') },
          ...SEVERITIES.map((value) => ({ value, label: t(`severity.${value}`) })),
        ]}
        value={fields.severity}
        onChange={(severity) => onChange({ severity })}
      />
      <TextField
        label={t('list.service')}
        type="search"
        value={fields.service}
        maxLength={128}
        onChange={(service) => onChange({ service })}
      />
      <TextField
        label={t('list.labels')}
        type="search"
        hint={t('list.labelsHint')}
        error={bad === undefined ? undefined : t('list.badMatcher', { matcher: bad })}
        value={fields.labels}
        maxLength={1024}
        onChange={(labels) => onChange({ labels })}
      />
    </Grid>
  );
}
