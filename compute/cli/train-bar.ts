import { Presets, SingleBar } from 'cli-progress';
import type { Progress, TrainingRun } from '../../engine/index.ts';

const PERMILLE = 1000;
/** Columns left beside the widest numbers in a terminal of 80. */
const BAR_COLUMNS = 10;
/** To the first column, without what stood there. */
const CLEAR_LINE = '\r\x1b[K';
const SHORT_UNITS: Readonly<Record<string, string>> = { tokens: 'tok', examples: 'ex' };

/** One line that says how far a run is, how well it does, and when it will be done. */
export interface TrainBar {
  advanced(progress: Progress): void;
  validated(loss: number): void;
  /** Writes a line above it. */
  say(line: string): void;
  stop(): void;
}

/** @param unit what the speed is counted in: tokens or examples */
export function createTrainBar(run: TrainingRun, unit: string): TrainBar {
  const format =
    '{bar} {percentage}%  step {step}  loss {loss}  valid {validation}  ' +
    `{speed} ${SHORT_UNITS[unit] ?? unit}/s  {left}`;
  const bar = new SingleBar(
    { format, hideCursor: true, barsize: BAR_COLUMNS, linewrap: false, stopOnComplete: false },
    Presets.shades_classic,
  );
  const from = { share: run.progress(), at: performance.now() };
  const shown = { step: short(run.step()), loss: '…', validation: '…', speed: '…', left: '…' };
  let isStopped = false;
  const show = () => {
    if (!isStopped) bar.update(Math.floor(run.progress() * PERMILLE), shown);
  };
  bar.start(PERMILLE, Math.floor(from.share * PERMILLE), shown);
  return {
    advanced({ losses, tokensPerSecond }) {
      const done = run.progress() - from.share;
      const seconds = (performance.now() - from.at) / 1000;
      shown.step = short(run.step());
      shown.loss = digits(losses.at(-1) ?? Number.NaN);
      shown.speed = short(tokensPerSecond);
      if (done > 0) shown.left = `${timeOf((seconds * (1 - run.progress())) / done)} left`;
      show();
    },
    validated(loss) {
      shown.validation = digits(loss);
      show();
    },
    say(line) {
      process.stderr.write(`${CLEAR_LINE}${line}\n`);
      show();
    },
    stop() {
      isStopped = true;
      bar.stop();
    },
  };
}

/** In five columns. */
const digits = (loss: number) => (loss < 100 ? loss.toFixed(3).slice(0, 5) : short(loss));

/** Such as 815, 12.3k or 4.1M: in five columns. */
function short(count: number): string {
  for (const [unit, size] of [
    ['G', 1e9],
    ['M', 1e6],
    ['k', 1e4],
  ] as const) {
    if (count >= size) return `${(count / (unit === 'k' ? 1000 : size)).toFixed(1)}${unit}`;
  }
  return String(Math.round(count));
}

const two = (n: number) => String(n).padStart(2, '0');

/** Such as 45s, 2m05s or 3h10m. */
function timeOf(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole}s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}m${two(whole % 60)}s`;
  return `${Math.floor(minutes / 60)}h${two(minutes % 60)}m`;
}
