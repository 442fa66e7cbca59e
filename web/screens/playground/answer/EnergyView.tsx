import type { SpikeUse } from '../../../../edge/inference/contract/infer.ts';
import { Table, type Column } from '../../../ui/Table.tsx';
import { usePlaygroundText, type PlaygroundText } from '../playground-text.ts';
import { energyIn } from '../../../i18n/energy.ts';
import { Figures } from './Figures.tsx';
import { Note, Stack } from '../../../ui/Layout.tsx';

interface EnergyViewProps {
  readonly model: string;
  readonly spikes: SpikeUse;
}

/** The spikes of an answer, and its energy in three ways: never as one number. */
export function EnergyView({ model, spikes }: EnergyViewProps) {
  const text = usePlaygroundText();
  const { t, format } = text;
  const { total, rate } = spikes;
  const isSpiking = total !== null && rate !== null;
  return (
    <Stack gap={3}>
      <h3>{t(isSpiking ? 'spikes.title' : 'energy.title')}</h3>
      {isSpiking && (
        <Figures
          facts={[
            { label: t('spikes.total'), value: format.integer(total) },
            {
              label: t('spikes.rate'),
              value: t('spikes.rateOf', { rate: format.percent(rate) }),
            },
          ]}
        />
      )}
      <Table
        caption={t('energy.table', { model })}
        columns={columnsOf(text, isSpiking)}
        rows={waysOf(text, spikes)}
        rowKey={({ way }) => way}
      />
      <Note>{whereItPays(text, spikes)}</Note>
      <Note>{t('energy.note')}</Note>
    </Stack>
  );
}

/** On which side of the rate at which spikes stop to pay the answer is. */
function whereItPays(
  { t, format }: PlaygroundText,
  { rate, break_even_rate: limit }: SpikeUse,
): string {
  if (rate === null || limit === null) return t('energy.numbers');
  return t(rate < limit ? 'energy.below' : 'energy.above', {
    limit: format.percent(limit),
    rate: format.percent(rate),
  });
}

/** One way of counting what an answer took. */
interface Way {
  readonly way: string;
  readonly spiking: string;
  readonly dense: string;
  readonly ratio: string;
}

/** A network of numbers has nothing to be held against. */
function columnsOf({ t }: PlaygroundText, isSpiking: boolean): readonly Column<Way>[] {
  const number = (key: 'spiking' | 'dense' | 'ratio'): Column<Way> => ({
    key,
    title: t(`energy.${key}`),
    align: 'end',
    cell: (row) => row[key],
  });
  return [
    { key: 'way', title: t('energy.way'), cell: ({ way }) => way },
    ...(isSpiking ? [number('spiking'), number('dense'), number('ratio')] : [number('dense')]),
  ];
}

function waysOf({ t, format }: PlaygroundText, spikes: SpikeUse): readonly Way[] {
  const { energy } = spikes;
  const joules = (picojoules: number) => t('energy.value', energyIn(picojoules));
  const way = (
    name: string,
    pair: readonly [number, number],
    write: (value: number) => string,
  ) => ({
    way: name,
    spiking: write(pair[0]),
    dense: write(pair[1]),
    ratio:
      pair[1] > 0 ? t('energy.times', { value: pair[0] / pair[1] }) : format.number(Number.NaN),
  });
  return [
    way(
      t('energy.operations'),
      [spikes.synaptic_ops ?? spikes.dense_macs, spikes.dense_macs],
      format.integer,
    ),
    way(t('energy.compute'), [energy.compute_pj, energy.dense_compute_pj], joules),
    way(t('energy.memory'), [energy.with_memory_pj, energy.dense_with_memory_pj], joules),
  ];
}
