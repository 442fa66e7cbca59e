import { useQuery } from '@tanstack/react-query';
import type { RuleRecord } from '../../../../edge/alerts/contract/alert-rule.ts';
import { rulesQuery } from '../../../api/alerts.ts';
import { column, endColumn } from '../../../records/columns.ts';
import { Button, buttonClass } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { Row, Stack } from '../../../ui/Layout.tsx';
import { LinkButton } from '../../../ui/LinkButton.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { Resource } from '../../../ui/Resource.tsx';
import { type Column, Table } from '../../../ui/Table.tsx';
import { type ChangeAlertFields, NEW_RULE } from '../alert-fields.ts';
import { writeDuration } from '../alert-syntax.ts';
import css from '../Alerts.module.css';
import { SeverityBadge, StateBadge } from '../StateBadge.tsx';
import { type AlertsText, useAlertsText } from '../words/en-alerts.ts';

/** All rules with their states. */
export function RuleList({ onChange }: { readonly onChange: ChangeAlertFields }) {
  const text = useAlertsText();
  const { t } = text;
  return (
    <Stack>
      <Row justify="space-between" gap={[2, 4]}>
        <Button tone="primary" onClick={() => onChange({ rule: NEW_RULE })}>
          {t('rules.new')}
        </Button>
        <a
          className={buttonClass('quiet')}
          href="/monitoring/alerts/rules.yaml"
          download="rules.yaml"
        >
          <Icon name="download" size="small" />
          {t('rules.export')}
        </a>
      </Row>
      <Resource
        query={useQuery(rulesQuery)}
        skeleton={{ lines: 4, lineRem: 3.5 }}
        isEmpty={({ rules }) => rules.length === 0}
        empty={<EmptyState title={t('rules.none')}>{t('rules.noneHelp')}</EmptyState>}
      >
        {({ rules }) => (
          <Table
            caption={t('tab.rules')}
            columns={ruleColumns(text, (rule) => onChange({ rule }))}
            rows={rules}
            rowKey={({ id }) => id}
          />
        )}
      </Resource>
    </Stack>
  );
}

function ruleColumns({ t }: AlertsText, open: (id: string) => void): readonly Column<RuleRecord>[] {
  return [
    column(t('rules.name'), ({ id, name }) => (
      <LinkButton onClick={() => open(id)}>{name}</LinkButton>
    )),
    column(t('rules.state'), ({ state }) => <StateBadge state={state} />),
    column(t('list.severity'), ({ severity }) => <SeverityBadge severity={severity} />),
    column(t('rules.expr'), ({ expr, last_error: failure }) => (
      <Stack as="span" gap={0} align="flex-start" style={{ minWidth: '12rem' }}>
        <code className={css['expr']}>{expr}</code>
        {failure !== null && <span lang="en">{t('rule.error', { error: failure })}</span>}
      </Stack>
    )),
    endColumn(t('rules.for'), (rule) => writeDuration(rule.for_s)),
    endColumn(t('rules.evaluated'), ({ last_evaluated_at: at }) =>
      at === null ? t('rules.never') : <RelativeTime time={at} />,
    ),
  ];
}
