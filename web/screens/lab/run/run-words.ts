import type { BadgeTone } from '../../../ui/Badge.tsx';
import type { ProgressFacts } from '../../../lab/protocol.ts';
import type { RunState } from '../../../lab/run-machine.ts';
import type { LabKey, LabText } from '../lab-text.ts';

export const RUN_TONES: Readonly<Record<RunState['status'], BadgeTone>> = {
  idle: 'neutral',
  loaded: 'neutral',
  opening: 'neutral',
  ready: 'neutral',
  training: 'good',
  paused: 'warn',
  finished: 'good',
  failed: 'bad',
  lost: 'bad',
};

const STAGES = {
  data: 'run.openingText',
  device: 'run.openingDevice',
  programs: 'run.openingPrograms',
} as const;

/** The state in a word or two. */
export function stateKey(run: RunState): LabKey {
  return run.status === 'opening' ? STAGES[run.stage] : `run.${run.status}`;
}

/** Text for screen readers when the state changes; steps in progress are not read, as they change all the time. */
export function announceRun({ t }: LabText, run: RunState): string {
  const state = t(stateKey(run));
  return 'step' in run ? t('run.said', { state, step: run.step }) : t('run.saidPlain', { state });
}

/** "Step 120 of 300", "Epoch 0.03", "about 12 seconds left": what there is to say, in this order. */
export function progressWords(
  text: LabText,
  progress: ProgressFacts,
  total: number | null,
): string[] {
  const { t, format } = text;
  const { step, epoch, fraction, secondsLeft } = progress;
  const words = [
    total === null ? t('run.stepNow', { step }) : t('run.stepOf', { step, total }),
    t('run.percent', { percent: format.percent(fraction) }),
    t('run.epoch', { epoch: format.number(epoch) }),
  ];
  return secondsLeft === null || fraction >= 1 ? words : [...words, timeLeft(text, secondsLeft)];
}

/** In the largest unit that says enough: nobody counts the seconds of an hour. */
function timeLeft({ t }: LabText, seconds: number): string {
  if (seconds < 90) return t('run.secondsLeft', { count: Math.max(1, Math.round(seconds)) });
  if (seconds < 5400) return t('run.minutesLeft', { count: Math.round(seconds / 60) });
  return t('run.hoursLeft', { count: Math.round(seconds / 3600) });
}
