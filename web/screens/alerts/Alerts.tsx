import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Transition } from '../../../edge/alerts/contract/alert.ts';
import { historyQuery, rulesQuery } from '../../api/alerts.ts';
import { column, endColumn } from '../../records/columns.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Grid, Row, Stack } from '../../ui/Layout.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { InfiniteList } from '../../ui/Resource.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { type AlertFields, type ChangeAlertFields, FIELDS, TABS } from './alert-fields.ts';
import { AlertList } from './AlertList.tsx';
import { ReceiverList } from './ReceiverList.tsx';
import { RuleEditor } from './rules/RuleEditor.tsx';
import { RuleList } from './rules/RuleList.tsx';
import { SilenceList } from './SilenceList.tsx';
import { LabelChips, SeverityBadge, StateBadge } from './StateBadge.tsx';
import { type AlertsText, useAlertsText } from './words/en-alerts.ts';

/** Alerts, rules, silences, receivers and history. */
export function Alerts() {
  const { t } = useAlertsText();
  const [fields, change] = useUrlState(FIELDS);
  if (fields.rule !== '') return <RuleEditor fields={fields} onChange={change} />;
  const contents = {
    list: <AlertList fields={fields} onChange={change} />,
    rules: <RuleList onChange={change} />,
    silences: <SilenceList />,
    receivers: <ReceiverList />,
    history: <History fields={fields} onChange={change} />,
  };
  return (
    <Screen lead={t('alerts.lead')}>
      <Tabs
        label={t('alerts.parts')}
        tabs={TABS.map((value) => ({
          value,
          label: t(`tab.${value}`),
          content: contents[value],
        }))}
        value={fields.tab}
        onChange={(tab) => change({ tab })}
      />
    </Screen>
  );
}

const STATES = ['firing', 'pending', 'suppressed', 'resolved'] as const;

interface HistoryProps {
  readonly fields: AlertFields;
  readonly onChange: ChangeAlertFields;
}

/** The state changes of alerts, latest first. */
function History({ fields, onChange }: HistoryProps) {
  const { t } = useAlertsText();
  const rule = fields.of;
  const rules = useQuery(rulesQuery).data?.rules ?? [];
  const state = STATES.find((known) => known === fields.state);
  return (
    <Stack>
      <Grid as="search" min="10rem" gap={[3, 4]} align="start" aria-label={t('list.filters')}>
        <SelectField
          label={t('history.rule')}
          options={[
            { value: '', label: t('list.all') },
            ...rules.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={rule}
          onChange={(of) => onChange({ of })}
        />
        <SelectField
          label={t('list.state')}
          options={[
            { value: 'all', label: t('list.all') },
            ...STATES.map((value) => ({ value, label: t(`state.${value}`) })),
          ]}
          value={state ?? 'all'}
          onChange={(chosen) => onChange({ state: chosen })}
        />
      </Grid>
      <Transitions
        search={{ ...(rule !== '' && { rule_id: rule }), ...(state && { state }) }}
        onRule={(id) => onChange({ rule: id })}
      />
    </Stack>
  );
}

interface TransitionsProps {
  readonly search: Parameters<typeof historyQuery>[0];
  readonly onRule: (id: string) => void;
}

function Transitions({ search, onRule }: TransitionsProps) {
  const text = useAlertsText();
  const { t } = text;
  return (
    <InfiniteList
      query={useInfiniteQuery(historyQuery(search))}
      skeleton={{ lines: 6, lineRem: 3 }}
      itemsOf={(page) => page.transitions}
      empty={<EmptyState title={t('history.none')}>{t('history.noneHelp')}</EmptyState>}
      more={t('history.more')}
    >
      {(transitions) => (
        <Table
          caption={t('tab.history')}
          columns={historyColumns(text, onRule)}
          rows={transitions}
          rowKey={({ id }) => id}
          rowHeader="none"
        />
      )}
    </InfiniteList>
  );
}

function historyColumns(
  { t, format }: AlertsText,
  onRule: (id: string) => void,
): readonly Column<Transition>[] {
  return [
    column(t('history.at'), ({ at }) => <RelativeTime time={at} />),
    column(t('list.name'), ({ name, rule_id: id }) => (
      <LinkButton onClick={() => onRule(id)}>{name}</LinkButton>
    )),
    column(t('list.severity'), ({ severity }) => <SeverityBadge severity={severity} />),
    column(t('history.change'), ({ from, to }) => (
      <Row as="span">
        {from === null ? t('history.began') : <StateBadge state={from} />}
        <span aria-hidden="true">{'→'}</span>
        <StateBadge state={to} />
      </Row>
    )),
    endColumn(t('list.value'), ({ value }) => format.number(value)),
    column(t('detail.labels'), ({ labels }) => <LabelChips labels={labels} />),
  ];
}
