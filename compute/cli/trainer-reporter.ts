import { Presets, SingleBar } from 'cli-progress';
import type { JobState, TrainerState } from '../../trainer/index.ts';

const PERMILLE = 1000;

/** Tells a person what a trainer does: a line for what changes, and a bar while it trains. */
export function createTrainerReporter(gateway: string) {
  const bar = process.stderr.isTTY ? createBar() : undefined;
  let said = '';
  const say = (line: string) => {
    if (line === said) return;
    said = line;
    bar?.stop();
    console.error(line);
  };
  return {
    stopping: () => say('stopping after this step, then writing a checkpoint …'),
    show(state: TrainerState) {
      switch (state.status) {
        case 'connecting':
          return say(
            state.reason === undefined
              ? `connecting to ${gateway} …`
              : `${gateway} does not answer, trying again: ${state.reason}`,
          );
        case 'idle':
          return say('waiting for work');
        case 'stopped':
          return say('stopped');
        case 'training':
          for (const line of linesOf(state.job)) say(line);
          if (state.job.phase === 'running') showBar(bar, state.job);
      }
    },
  };
}

/** Events worth a line of their own, each message once. */
function linesOf({ jobId, modelName, attempt, seat, phase, message }: JobState): string[] {
  const part = seat > 0 ? `, seat ${seat}` : '';
  if (phase === 'validating') return [`${jobId} (${modelName}): attempt ${attempt}${part}`];
  return message === undefined ? [] : [`${jobId}: ${message}`];
}

function showBar(bar: SingleBar | undefined, { progress, loss }: JobState): void {
  if (!bar) return;
  if (!bar.isActive) bar.start(PERMILLE, 0, { step: 0, loss: '…' });
  const share = Math.floor((progress.percent / 100) * PERMILLE);
  bar.update(share, { step: progress.step, loss: loss?.toFixed(3) ?? '…' });
}

function createBar(): SingleBar {
  const format = ' {bar} {percentage} % | step {step} | loss {loss} | {eta_formatted} left';
  return new SingleBar(
    { format, hideCursor: true, etaBuffer: 50, clearOnComplete: true },
    Presets.shades_classic,
  );
}
