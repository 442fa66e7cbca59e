import type { Candidate, FailoverPlan } from '../../../edge/geo/contract/failover.ts';
import { column, endColumn } from '../../table/columns.ts';
import { Facts } from '../../ui/Facts.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { type RegionsText, useRegionsText } from './regions-text.ts';
import css from './Regions.module.css';

/** A failover plan: its target, candidates and excluded regions. */
export function PlanView({ plan }: { readonly plan: FailoverPlan }) {
  const text = useRegionsText();
  const { t } = text;
  const { ranked_candidates: ranked, excluded } = plan;
  return (
    <Stack as="section" gap={3} aria-label={t('plan.title')}>
      <h3>{t('plan.title')}</h3>
      <Facts facts={factsOf(text, plan)} />
      {ranked.length > 0 && (
        <>
          <h4>{t('plan.ranked')}</h4>
          <Table
            caption={t('plan.ranked')}
            columns={columnsOf(text)}
            rows={ranked}
            rowKey={({ region_id: id }) => id}
          />
        </>
      )}
      <h4>{t('plan.excluded')}</h4>
      <ul className={css['excluded']}>
        {excluded.map(({ region_id: id, why }) => (
          <li key={id}>
            <b>{id}</b> <span lang="en">{why}</span>
          </li>
        ))}
      </ul>
    </Stack>
  );
}

function factsOf({ t, format }: RegionsText, plan: FailoverPlan) {
  const { target, nodes_affected: affected, latency_delta_ms: delta, epoch } = plan;
  return [
    { label: t('plan.target'), value: target ?? t('plan.noTarget') },
    { label: t('plan.affected'), value: format.integer(affected) },
    ...(delta === null
      ? []
      : [{ label: t('plan.delta'), value: t('ms', { value: format.number(delta) }) }]),
    ...(target === null
      ? []
      : [{ label: t('plan.epoch'), value: t('plan.epochValue', { from: epoch - 1, to: epoch }) }]),
  ];
}

function columnsOf({ t, format }: RegionsText): readonly Column<Candidate>[] {
  return [
    column(t('column.region'), ({ region_id: id }) => id),
    endColumn(t('column.priority'), ({ priority }) => format.integer(priority)),
    endColumn(t('column.distance'), ({ latency_ms: ms }) => t('ms', { value: format.number(ms) })),
    endColumn(t('column.nodes'), ({ active_nodes: nodes }) => format.integer(nodes)),
  ];
}
