import { TimeSeries } from '../../../widgets/time-series/TimeSeries.tsx';
import { useLabText } from '../lab-text.ts';
import { pageLab } from '../lab-store.ts';
import { useLevels } from './use-levels.ts';
import css from './Views.module.css';

/** How the loss falls, on the text that is learned and on the text that is not, beside what n-grams reach. */
export function LossView() {
  const { t } = useLabText();
  const levels = useLevels('loss');
  return (
    <div className={css['card']}>
      <TimeSeries
        title={t('loss.title')}
        buffer={pageLab().live.curves}
        series={[t('loss.training'), t('loss.validation')]}
        axis={t('loss.axis')}
        levels={levels}
        gaps="join"
      />
    </div>
  );
}
