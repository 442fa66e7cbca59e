import type { LayerActivity } from '../../../../engine/index.ts';
import { Table, type Column } from '../../../ui/Table.tsx';
import { useLabText } from '../lab-text.ts';
import { layerWords } from '../../../widgets/spike-raster/layer-words.ts';

/** Every layer in a row: its rate, its dead and its saturated fraction. */
export function LayersTable({ layers }: { readonly layers: readonly LayerActivity[] }) {
  const text = useLabText();
  const { t, format } = text;
  const fraction = (key: 'rate' | 'dead' | 'saturated', title: string): Column<LayerActivity> => ({
    key,
    title,
    align: 'end',
    cell: (layer) => format.percent(layer[key]),
  });
  return (
    <Table
      caption={t('views.allLayers')}
      columns={[
        { key: 'layer', title: t('views.layerColumn'), cell: ({ name }) => layerWords(text, name) },
        fraction('rate', t('views.rateColumn')),
        fraction('dead', t('views.deadColumn')),
        fraction('saturated', t('views.saturatedColumn')),
      ]}
      rows={layers}
      height="limited"
      rowKey={({ name }) => name}
    />
  );
}
