import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ProblemError } from '../../../edge/contract/problem-error.ts';
import type { Candidate, FailoverPlan } from '../../../edge/geo/contract/failover.ts';
import type { RegionRecord } from '../../../edge/geo/contract/region.ts';
import { geo, GEO_KEY, geoStatusQuery } from '../../api/geo.ts';
import { useServices } from '../../app/services.ts';
import { column, endColumn } from '../../records/columns.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { Toggle } from '../../ui/Toggle.tsx';
import css from './Regions.module.css';
import { type RegionsText, useRegionsText } from './words/en-regions.ts';

interface FailoverDialogProps {
  readonly from: string;
  readonly regions: readonly RegionRecord[];
  /** The epoch that the operator sees: a failover since then is refused. */
  readonly epoch: number;
  readonly onClose: () => void;
}

/** Plans a failover, then executes it with a reason. */
export function FailoverDialog({ from, regions, epoch, onClose }: FailoverDialogProps) {
  const { t } = useRegionsText();
  const [choice, setChoice] = useState({ to: '', force: false });
  const [seen, see] = useState(epoch);
  const [reason, setReason] = useState('');
  const status = useQuery(geoStatusQuery);
  const input = (to: string | null) => ({
    from_region: from,
    force: choice.force,
    expected_epoch: seen,
    ...(to && { to_region: to }),
  });
  const planning = useMutation({ mutationFn: () => geo.planFailover(input(choice.to)) });
  const switching = useGeoChange({
    // The target of the plan shown, even if another would be better by now.
    change: (to: string) => geo.executeFailover({ ...input(to), reason }),
    said: ({ to_region: to, epoch: now }) => t('dialog.done', { region: to ?? '', epoch: now }),
    onDone: onClose,
  });
  const startOver = (change: Partial<typeof choice>) => {
    setChoice({ ...choice, ...change });
    planning.reset();
    switching.reset();
  };
  const lookAgain = async () => {
    const { data } = await status.refetch();
    if (data?.active_region !== from) onClose();
    else see(data.epoch);
    startOver({});
  };
  const error = switching.error ?? planning.error;
  return (
    <Dialog title={t('dialog.title', { region: from })} onClose={onClose}>
      <Stack gap={3}>
        <Target from={from} regions={regions} choice={choice} onChange={startOver} />
        {planning.data && <PlanView plan={planning.data} />}
        {planning.data?.target && (
          <TextField
            label={t('dialog.reason')}
            hint={t('dialog.reasonHint')}
            value={reason}
            maxLength={256}
            onChange={setReason}
          />
        )}
        {error && <ErrorState error={error} />}
      </Stack>
      <Actions
        target={planning.data?.target ?? null}
        isBusy={planning.isPending || switching.isPending}
        isStale={error instanceof ProblemError && error.code === 'stale_epoch'}
        onClose={onClose}
        onPlan={() => planning.mutate()}
        onSwitch={(to) => switching.mutate(to)}
        onLookAgain={() => void lookAgain()}
      />
    </Dialog>
  );
}

interface Choice {
  /** Empty: the best candidate. */
  readonly to: string;
  readonly force: boolean;
}

interface TargetProps extends Pick<FailoverDialogProps, 'from' | 'regions'> {
  readonly choice: Choice;
  readonly onChange: (change: Partial<Choice>) => void;
}

function Target({ from, regions, choice, onChange }: TargetProps) {
  const { t } = useRegionsText();
  const others = regions.filter(({ region_id: id }) => id !== from);
  return (
    <>
      <SelectField
        label={t('dialog.target')}
        options={[
          { value: '', label: t('dialog.best') },
          ...others.map(({ region_id: id }) => ({ value: id, label: id })),
        ]}
        value={choice.to}
        onChange={(to) => onChange({ to })}
      />
      <Toggle
        state={choice.force ? 'on' : 'off'}
        onToggle={(state) => onChange({ force: state === 'on' })}
      >
        {t('dialog.force')}
      </Toggle>
    </>
  );
}

interface ActionsProps {
  /** The target of the plan; null before there is one. */
  readonly target: string | null;
  readonly isBusy: boolean;
  readonly isStale: boolean;
  readonly onClose: () => void;
  readonly onPlan: () => void;
  readonly onSwitch: (to: string) => void;
  readonly onLookAgain: () => void;
}

function Actions({ target, isBusy, isStale, ...on }: ActionsProps) {
  const { t } = useRegionsText();
  const state = isBusy ? 'blocked' : 'ready';
  const next = () => {
    if (isStale) return <Button onClick={on.onLookAgain}>{t('dialog.again')}</Button>;
    if (target === null) {
      return (
        <Button tone="primary" state={state} onClick={on.onPlan}>
          {t('dialog.plan')}
        </Button>
      );
    }
    return (
      <Button tone="danger" state={state} onClick={() => on.onSwitch(target)}>
        {t('dialog.do', { region: target })}
      </Button>
    );
  };
  return (
    <DialogActions>
      <Button onClick={on.onClose}>{t('ui.cancel')}</Button>
      {next()}
    </DialogActions>
  );
}

/** A failover plan: its target, candidates and excluded regions. */
function PlanView({ plan }: { readonly plan: FailoverPlan }) {
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

interface GeoChange<In, Out> {
  readonly change: (input: In) => Promise<Out>;
  /** The toast after success. */
  readonly said: (output: Out) => string;
  readonly onDone?: () => void;
}

/** A mutation of regions that refetches everything, even after a refusal. */
export function useGeoChange<In = void, Out = void>({ change, said, onDone }: GeoChange<In, Out>) {
  const { toasts } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess(output) {
      toasts.show(said(output), 'good');
      onDone?.();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: GEO_KEY }),
  });
}
