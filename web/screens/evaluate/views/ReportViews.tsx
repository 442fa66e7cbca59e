import type { EnergySection, SpikesSection } from '../../../../engine/index.ts';
import { energyIn } from '../../../i18n/energy.ts';
import { Grid, Note, Stack } from '../../../ui/Layout.tsx';
import { type BarGroup, BarGroups, type GroupBar } from '../../../widgets/bar-groups/BarGroups.tsx';
import { HeatTable } from '../../../widgets/heat-table/HeatTable.tsx';
import css from '../Evaluate.module.css';
import type { ShownReport, ViewProps } from '../reports/shown-report.ts';
import { type EvaluateText, useEvaluateText } from '../words/en-evaluate.ts';
import { LayersPlot, PositionsPlot, ReliabilityPlot } from './CurvePlots.tsx';
import { FiguresTable } from './FiguresTable.tsx';

/** The metrics of the reports and the charts that their sections allow. */
export function Pictures({ reports }: ViewProps) {
  const some = (hasIt: (report: ShownReport['report']) => unknown) =>
    reports.filter(({ report }) => hasIt(report) !== undefined);
  const streams = some(({ language }) => (language?.form === 'stream' ? language : undefined));
  const windows = some(({ language }) => (language?.form === 'windows' ? language : undefined));
  const calibrated = some((report) => report.language ?? report.classification);
  const spiking = some(({ spikes }) => spikes);
  const counted = some(({ energy }) => energy);
  return (
    <>
      <FiguresTable reports={reports} />
      <Grid min="20rem" gap={4}>
        {streams.length > 0 && <PositionsPlot form="stream" reports={streams} />}
        {windows.length > 0 && <PositionsPlot form="windows" reports={windows} />}
        {calibrated.length > 0 && <ReliabilityPlot reports={calibrated} />}
        {spiking.length > 0 && <LayersPlot reports={spiking} />}
      </Grid>
      {some(({ classification }) => classification).map((shown) => (
        <ConfusionView key={shown.id} shown={shown} />
      ))}
      {counted.length > 0 && <EnergyView reports={counted} />}
    </>
  );
}

/** The confusion matrix of a report. */
function ConfusionView({ shown: { name, report } }: { readonly shown: ShownReport }) {
  const { t, format } = useEvaluateText();
  const { classification } = report;
  if (!classification) return null;
  const { labels, matrix, classes, count } = classification;
  const right = matrix.reduce((sum, row, truth) => sum + (row[truth] ?? 0), 0);
  const worst = worstOf(matrix);
  const said = t('confusion.said', { right: format.integer(right), count: format.integer(count) });
  return (
    <div className={css['card']}>
      <HeatTable
        title={t('confusion.title', { name })}
        corner={t('confusion.truth')}
        rowLabels={labels}
        columnLabels={labels}
        values={matrix}
        write={format.integer}
        beside={{
          title: t('confusion.recall'),
          cells: classes.map(({ recall }) => format.percent(recall ?? Number.NaN)),
        }}
        sentences={
          worst
            ? [
                said,
                t('confusion.worst', {
                  truth: labels[worst.truth] ?? '',
                  answer: labels[worst.answer] ?? '',
                  count: format.integer(worst.count),
                }),
              ]
            : [said]
        }
      />
    </div>
  );
}

/** The most frequent confusion, if there is any. */
export function worstOf(matrix: readonly (readonly number[])[]) {
  const mistakes = matrix.flatMap((row, truth) =>
    row.flatMap((count, answer) =>
      truth === answer || count === 0 ? [] : { truth, answer, count },
    ),
  );
  return mistakes.toSorted((a, b) => b.count - a.count)[0];
}

/** A report with its operation counts. */
interface Counted {
  readonly shown: ShownReport;
  readonly energy: EnergySection;
  /** Undefined where no neuron fires. */
  readonly spikes: SpikesSection | undefined;
}

/** Energy estimated in three ways, of the spiking network and of a dense one of the same size. */
function EnergyView({ reports }: ViewProps) {
  const text = useEvaluateText();
  const { t } = text;
  const counted = reports.flatMap((shown): readonly Counted[] => {
    const { spikes, energy } = shown.report;
    return energy ? [{ shown, spikes, energy }] : [];
  });
  return (
    <div className={css['card']}>
      <BarGroups
        title={t('energy.title')}
        groups={energyGroups(counted, text)}
        columns={[t('energy.way'), t('energy.of'), t('energy.amount')]}
        sentences={counted.map((one) => saidOf(one, text))}
      />
      <Stack gap={2} style={{ marginTop: 'var(--space-3)' }}>
        {counted.map((one) => (
          <Caveat key={one.shown.id} {...one} />
        ))}
        <Note>{t('energy.note')}</Note>
      </Stack>
    </div>
  );
}

function saidOf({ shown: { name }, energy, spikes }: Counted, { t, format }: EvaluateText): string {
  if (!spikes) return t('energy.saidOfNumbers', { name, count: energy.macs ?? 0 });
  const ratio = format.number(energy.with_memory_pj / energy.dense_with_memory_pj);
  return t('energy.said', { name, ratio });
}

/** The break-even firing rate, and the side of it that the model is on. */
function Caveat({ shown: { name }, spikes, energy }: Counted) {
  const { t, format } = useEvaluateText();
  if (!spikes || energy.break_even_rate === null) return null;
  return (
    <Note>
      {t(spikes.rate < energy.break_even_rate ? 'energy.below' : 'energy.above', {
        name,
        steps: format.integer(spikes.time_steps / (spikes.frames ?? 1)),
        limit: format.percent(energy.break_even_rate),
        rate: format.percent(spikes.rate),
      })}
    </Note>
  );
}

type Amount = readonly [value: number, text: string];

/** A bar group per estimate. */
export function energyGroups(
  counted: readonly Counted[],
  { t }: EvaluateText,
): readonly BarGroup[] {
  const joules = (picojoules: number): Amount => [
    picojoules,
    t('energy.value', energyIn(picojoules)),
  ];
  const products = (count: number): Amount => [count, t('energy.products', { count })];
  const group = (
    label: string,
    own: (one: Counted) => Amount,
    dense: (one: Counted, spikes: SpikesSection) => Amount,
  ): BarGroup => ({
    label,
    bars: counted.flatMap((one) => {
      const { name, series } = one.shown;
      const { spikes } = one;
      const bar = (title: string, kind: GroupBar['kind'], [value, text]: Amount): GroupBar => ({
        name: title,
        kind,
        value,
        text,
        series,
      });
      if (!spikes) return [bar(t('energy.numbers', { name }), 'solid', own(one))];
      return [
        bar(t('energy.spiking', { name }), 'solid', own(one)),
        bar(t('energy.dense', { name }), 'hollow', dense(one, spikes)),
      ];
    }),
  });
  return [
    group(
      t('energy.operations'),
      ({ energy: { synaptic_ops: count, macs } }) =>
        macs === undefined ? [count, t('energy.additions', { count })] : products(macs),
      (_, spikes) => products(spikes.dense_macs_per_unit),
    ),
    group(
      t('energy.compute'),
      ({ energy }) => joules(energy.compute_pj),
      ({ energy }) => joules(energy.dense_compute_pj),
    ),
    group(
      t('energy.memory'),
      ({ energy }) => joules(energy.with_memory_pj),
      ({ energy }) => joules(energy.dense_with_memory_pj),
    ),
  ];
}
