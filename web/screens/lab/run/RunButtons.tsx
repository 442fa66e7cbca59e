import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import { useLabText } from '../lab-text.ts';
import { pageLab, useLab } from '../lab-store.ts';
import { ResetDialog } from './ResetDialog.tsx';
import { ariaShortcut, SHORTCUTS, shortcutText, useShortcut } from './shortcuts.ts';
import { type RunControls, useRunControls } from './use-run.ts';
import { Row } from '../../../ui/Layout.tsx';

/** Unsaved steps from which on a reset asks first: fewer are soon trained again. */
const WORTH_ASKING = 500;

/** Train or pause, one step, reset. */
export function RunButtons() {
  const { t } = useLabText();
  const controls = useRunControls();
  const { canTrain, canReset, step } = controls;
  const unsaved = useLab(({ progress, savedStep }) => (progress?.step ?? 0) - savedStep);
  const [reset, setReset] = useState<'asked' | 'no'>('no');
  useShortcut(SHORTCUTS.step, canTrain ? step : undefined);
  return (
    <Row align="stretch">
      <TrainButton controls={controls} />
      <Tooltip text={t('run.stepHint', { keys: shortcutText(SHORTCUTS.step) })}>
        <Button
          icon="step"
          state={canTrain ? 'ready' : 'blocked'}
          aria-keyshortcuts={ariaShortcut(SHORTCUTS.step)}
          onClick={step}
        >
          {t('run.step')}
        </Button>
      </Tooltip>
      <Tooltip text={t('run.resetHint')}>
        <Button
          tone="quiet"
          icon="reset"
          disabled={!canReset}
          onClick={() => (unsaved >= WORTH_ASKING ? setReset('asked') : pageLab().reset())}
        >
          {t('run.reset')}
        </Button>
      </Tooltip>
      {reset === 'asked' && <ResetDialog unsaved={unsaved} onClose={() => setReset('no')} />}
    </Row>
  );
}

/** One button for both, so that the focus stays where it is. */
function TrainButton({ controls }: { readonly controls: RunControls }) {
  const { t } = useLabText();
  const { status, canTrain, canPause, train, pause } = controls;
  const action = canPause ? pause : canTrain ? train : undefined;
  useShortcut(SHORTCUTS.train, action);
  const isTraining = status === 'training';
  return (
    <Tooltip text={t('run.trainHint', { keys: shortcutText(SHORTCUTS.train) })}>
      <Button
        tone="primary"
        icon={isTraining ? 'pause' : 'play'}
        state={action ? 'ready' : 'blocked'}
        aria-keyshortcuts={ariaShortcut(SHORTCUTS.train)}
        onClick={action}
      >
        {t(isTraining ? (canPause ? 'run.pause' : 'run.pausing') : LABELS[status])}
      </Button>
    </Tooltip>
  );
}

const LABELS = {
  idle: 'run.train',
  opening: 'run.train',
  loaded: 'run.resume',
  ready: 'run.resume',
  paused: 'run.resume',
  finished: 'run.resume',
  failed: 'run.resume',
  lost: 'run.resume',
} as const;
