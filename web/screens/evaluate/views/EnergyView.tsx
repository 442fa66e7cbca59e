import type { EnergySection, SpikesSection } from '../../../../engine/index.ts';
import { energyIn } from '../../../i18n/energy.ts';
import { Note } from '../../../ui/Layout.tsx';
import { type BarGroup, BarGroups, type GroupBar } from '../../../widgets/bar-groups/BarGroups.tsx';
import { type EvaluateText, useEvaluateText } from '../evaluate-text.ts';
import css from '../Evaluate.module.css';
import type { ShownReport, ViewProps } from '../reports/shown-report.ts';

/** A report with what was counted. */
interface Counted {
  readonly shown: ShownReport;
  readonly energy: EnergySection;
  /** Undefined where no neuron fires. */
  readonly spikes: SpikesSection | undefined;
}

/** Energy in three ways, never as one number; spiking networks beside dense ones of the same size. */
export function EnergyView({ reports }: ViewProps) {
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
      <div className={css['notes']}>
        {counted.map((one) => (
          <Caveat key={one.shown.id} {...one} />
        ))}
        <Note>{t('energy.note')}</Note>
      </div>
    </div>
  );
}

function saidOf({ shown: { name }, energy, spikes }: Counted, { t, format }: EvaluateText): string {
  if (!spikes) return t('energy.saidOfNumbers', { name, count: energy.macs ?? 0 });
  const ratio = format.number(energy.with_memory_pj / energy.dense_with_memory_pj);
  return t('energy.said', { name, ratio });
}

/** Where spikes stop to pay, and on which side of it the model is. */
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

/** A group for each way of counting. */
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
