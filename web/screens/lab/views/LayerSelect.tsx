import { useEffect } from 'react';
import { Icon } from '../../../ui/Icon.tsx';
import fieldCss from '../../../ui/Field.module.css';
import { useLabForm } from '../fields-context.ts';
import { useLabText } from '../lab-text.ts';
import { pageLab, useObservation } from '../lab-store.ts';
import css from './Views.module.css';
import { layerWords } from '../../../widgets/spike-raster/layer-words.ts';

interface LayerSelectProps {
  readonly layers: readonly string[];
}

/** Which layer is drawn; the address carries it. */
export function LayerSelect({ layers }: LayerSelectProps) {
  const text = useLabText();
  const { fields, change } = useLabForm();
  const chosen = useObservation((state) => state.layer);
  const layer = layers.includes(chosen) ? chosen : layers[0];

  useEffect(() => {
    const { observation } = pageLab();
    if (fields.layer !== '' && fields.layer !== observation.store.getState().layer) {
      observation.chooseLayer(fields.layer);
    }
  }, [fields.layer]);

  if (layer === undefined) return null;
  return (
    <span className={fieldCss['selectBox']}>
      <select
        className={`${fieldCss['control']} ${css['layers']}`}
        aria-label={text.t('views.layer')}
        value={layer}
        onChange={(event) => {
          change({ layer: event.target.value });
          pageLab().observation.chooseLayer(event.target.value);
        }}
      >
        {layers.map((name) => (
          <option key={name} value={name}>
            {layerWords(text, name)}
          </option>
        ))}
      </select>
      <Icon name="chevron" size="small" />
    </span>
  );
}
