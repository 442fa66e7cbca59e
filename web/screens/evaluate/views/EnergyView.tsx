import type { EnergySection, SpikesSection } from '../../../../engine/index.ts';
import { energyIn } from '../../../i18n/energy.ts';
import { BarGroups, type BarGroup } from '../../../widgets/bar-groups/BarGroups.tsx';
import css from '../Evaluate.module.css';
import { type EvaluateText, useEvaluateText } from '../evaluate-text.ts';
import type { ShownReport } from '../reports/shown-report.ts';
import type { ViewProps } from './Pictures.tsx';

/** A report whose neurons spike. */
interface Spiking {
  readonly shown: ShownReport;
  readonly spikes: SpikesSection;
  readonly energy: EnergySection;
}

/** Energy in three ways, never as one number, beside dense networks of the same size. */
export function EnergyView({ reports }: ViewProps) {
  const text = useEvaluateText();
  const { t, format } = text;
  const spiking = reports.flatMap((shown): readonly Spiking[] => {
    const { spikes, energy } = shown.report;
    return spikes && energy ? [{ shown, spikes, energy }] : [];
  });
  return (
    <div className={css['card']}>
      <BarGroups
        title={t('energy.title')}
        groups={waysOf(spiking, text)}
        columns={[t('energy.way'), t('energy.of'), t('energy.amount')]}
        sentences={spiking.map(({ shown: { name }, energy }) =>
          t('energy.said', {
            name,
            ratio: format.number(energy.with_memory_pj / energy.dense_with_memory_pj),
          }),
        )}
      />
      <div className={css['notes']}>
        {spiking.map(({ shown: { id, name }, spikes, energy }) => (
          <p key={id} className={css['hint']}>
            {t('energy.caveat', {
              name,
              steps: format.integer(spikes.time_steps),
              limit: format.percent(energy.break_even_rate),
              rate: format.percent(spikes.rate),
            })}
          </p>
        ))}
        <p className={css['hint']}>{t('energy.note')}</p>
      </div>
    </div>
  );
}

function waysOf(spiking: readonly Spiking[], { t }: EvaluateText): readonly BarGroup[] {
  const joules = (picojoules: number) => t('energy.value', energyIn(picojoules));
  const group = (
    label: string,
    own: (one: Spiking) => readonly [value: number, text: string],
    dense: (one: Spiking) => readonly [value: number, text: string],
  ): BarGroup => ({
    label,
    bars: spiking.flatMap((one) => {
      const { name, series } = one.shown;
      const [value, text] = own(one);
      const [denseValue, denseText] = dense(one);
      return [
        { name: t('energy.spiking', { name }), value, text, series, kind: 'solid' as const },
        {
          name: t('energy.dense', { name }),
          value: denseValue,
          text: denseText,
          series,
          kind: 'hollow' as const,
        },
      ];
    }),
  });
  return [
    group(
      t('energy.operations'),
      ({ energy: { synaptic_ops: count } }) => [count, t('energy.additions', { count })],
      ({ spikes: { dense_macs_per_unit: count } }) => [count, t('energy.products', { count })],
    ),
    group(
      t('energy.compute'),
      ({ energy: { compute_pj: pj } }) => [pj, joules(pj)],
      ({ energy: { dense_compute_pj: pj } }) => [pj, joules(pj)],
    ),
    group(
      t('energy.memory'),
      ({ energy: { with_memory_pj: pj } }) => [pj, joules(pj)],
      ({ energy: { dense_with_memory_pj: pj } }) => [pj, joules(pj)],
    ),
  ];
}
