import { TimeSeries } from '../../../widgets/time-series/TimeSeries.tsx';
import { useLabText } from '../lab-text.ts';
import { pageLab, useLab } from '../lab-store.ts';
import { useLevels } from './use-levels.ts';
import css from './Views.module.css';

/** How many examples a classifier takes to be what they are; nothing of any other model. */
export function AccuracyView() {
  const { t } = useLabText();
  const levels = useLevels('accuracy');
  const isMeasured = useLab(({ validation }) => validation?.figures['accuracy'] !== undefined);
  if (!isMeasured && levels.length === 0) return null;
  return (
    <div className={css['card']}>
      <TimeSeries
        title={t('accuracy.title')}
        buffer={pageLab().live.accuracy}
        series={[t('loss.validation')]}
        axis={t('loss.axis')}
        levels={levels}
        gaps="join"
      />
    </div>
  );
}
