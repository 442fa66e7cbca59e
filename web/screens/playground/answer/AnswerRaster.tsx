import { useMemo } from 'react';
import type { LayerRaster } from '../../../../edge/inference/contract/infer.ts';
import { SelectField } from '../../../ui/SelectField.tsx';
import { layerWords } from '../../../widgets/spike-raster/layer-words.ts';
import { SpikeRaster } from '../../../widgets/spike-raster/SpikeRaster.tsx';
import css from '../Playground.module.css';
import { usePlaygroundText } from '../playground-text.ts';
import { rasterBuffer } from './raster-buffer.ts';
import { Note } from '../../../ui/Layout.tsx';

interface AnswerRasterProps {
  readonly model: string;
  readonly layers: readonly LayerRaster[];
  /** The one that is drawn; the first one where there is none of this name. */
  readonly layer: string;
  readonly onLayer: (layer: string) => void;
}

/** When each neuron of a layer fired while the answer was read and written. */
export function AnswerRaster({ model, layers, layer, onLayer }: AnswerRasterProps) {
  const text = usePlaygroundText();
  const shown = layers.find((other) => other.layer === layer) ?? layers[0];
  const buffer = useMemo(() => (shown ? rasterBuffer(shown) : null), [shown]);
  if (!shown) return null;
  const choice = (
    <div className={css['layer']}>
      <SelectField
        label={text.t('raster.layer')}
        options={layers.map(({ layer: name }) => ({ value: name, label: layerWords(text, name) }))}
        value={shown.layer}
        onChange={onLayer}
      />
    </div>
  );
  if (!buffer) {
    return (
      <>
        {choice}
        <Note>{text.t('raster.unreadable')}</Note>
      </>
    );
  }
  return (
    <SpikeRaster
      title={text.t('raster.of', { model })}
      level={3}
      buffer={buffer}
      columns={buffer.capacity}
      state="stopped"
      controls={choice}
    />
  );
}
