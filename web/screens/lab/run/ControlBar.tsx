import { Badge } from '../../../ui/Badge.tsx';
import { useLabText } from '../lab-text.ts';
import { FinishedNotice } from '../notices/RunNotice.tsx';
import { useLab } from '../lab-store.ts';
import css from './ControlBar.module.css';
import { Readouts } from './Readouts.tsx';
import { RunButtons } from './RunButtons.tsx';
import { RunProgress } from './RunProgress.tsx';
import { announceRun, RUN_TONES, stateKey } from './run-words.ts';

/** Controls, progress and metrics of the run, always in sight. */
export function ControlBar() {
  const { t } = useLabText();
  return (
    <section className={css['bar']} aria-label={t('run.region')}>
      <RunButtons />
      <RunStateBadge />
      <Readouts />
      <RunProgress />
      <Outcome />
    </section>
  );
}

/** In the bar, where it is in sight wherever one has scrolled to meanwhile. */
function Outcome() {
  const isFinished = useLab(({ run }) => run.status === 'finished');
  if (!isFinished) return null;
  return (
    <div className={css['outcome']}>
      <FinishedNotice />
    </div>
  );
}

/** The state in a word; changes are read aloud. */
function RunStateBadge() {
  const text = useLabText();
  const run = useLab((state) => state.run);
  return (
    <div className={css['state']}>
      <Badge tone={RUN_TONES[run.status]}>{text.t(stateKey(run))}</Badge>
      <output className="visually-hidden">
        {run.status === 'idle' ? '' : announceRun(text, run)}
      </output>
    </div>
  );
}
