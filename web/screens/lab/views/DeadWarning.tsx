import type { LayerActivity } from '../../../../engine/index.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { useLabText } from '../lab-text.ts';
import { hasManyDead } from './activity-rates.ts';
import { layerWords } from '../../../widgets/spike-raster/layer-words.ts';
import css from './Views.module.css';

/** Says which layers have too many neurons that never fire, and what to do. Nothing while all is well. */
export function DeadWarning({ layers }: { readonly layers: readonly LayerActivity[] }) {
  const text = useLabText();
  const { t, format } = text;
  const poor = layers.filter(hasManyDead);
  if (poor.length === 0) return null;
  return (
    <div className={css['warning']} aria-live="polite">
      <Icon name="error" />
      <div>
        <p className={css['warningTitle']}>{t('views.deadTitle', { count: poor.length })}</p>
        <ul>
          {poor.map(({ name, dead }) => (
            <li key={name}>
              {t('views.deadLayer', {
                layer: layerWords(text, name),
                fraction: format.percent(dead),
              })}
            </li>
          ))}
        </ul>
        <p>{t('views.deadHelp')}</p>
      </div>
    </div>
  );
}
