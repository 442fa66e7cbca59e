import {
  EngineError,
  familyDescriptions,
  overallActivity,
  type Progress,
  type RunData,
  type RunSettings,
  type TrainingRun,
  type Validation,
} from '../../engine/index.ts';
import { createTrainBar, type TrainBar } from './train-bar.ts';
import { floorsLine, lastFigures, outcomeOf } from './train-outcome.ts';

/** Tells a person, or a program that reads lines of JSON, how a run goes. */
export interface Reporter {
  advanced(progress: Progress): void;
  validated(validation: Validation): Promise<void>;
  /** The budget is spent or the user stopped. */
  finished(end: RunEnd): Promise<void>;
  /** The user asked to stop. */
  stopping(): void;
  interrupted(output: string): void;
  /** An error ended the run. */
  failed(end: FailedEnd): void;
  /** An earlier run's checkpoints were moved out of the way. */
  setAside(folder: string): void;
}

/** How an error ended a run. */
interface FailedEnd {
  readonly error: unknown;
  readonly output: string;
  /** The steps of its last checkpoint, and of the one whose validation was best. */
  readonly last: number | undefined;
  readonly best: number | undefined;
}

/** How a run ended. */
interface RunEnd {
  readonly output: string;
  /** The step of the checkpoint whose validation was best. */
  readonly best: number | undefined;
  /** No step was left to make. */
  readonly isIdle: boolean;
  /** Text that a language model wrote. */
  readonly sample: string | undefined;
}

/** One line of `--json`. Losses are means in nats per character since the line before. */
interface ReportLine {
  readonly step: number;
  readonly epoch: number;
  readonly loss: number;
  readonly val_loss: number;
  readonly tokens_per_s: number;
  /** Spikes per neuron and time step, on the validation text; left out, as the next two, where no neuron fires. */
  readonly spike_rate?: number;
  readonly dead_share?: number;
  readonly saturated_share?: number;
  /** Further metrics of the family on the validation data, such as accuracy. */
  readonly [figure: string]: number | undefined;
}

export function createReporter(run: TrainingRun, data: RunData, json: boolean): Reporter {
  const losses: number[] = [];
  const speeds: number[] = [];
  const unit = unitOf(run.settings);
  let last: Validation | undefined;
  if (!json) introduce(run, data);
  const showsBar = !json && process.stderr.isTTY;
  // Begun with the first steps: what is said before them would break its line.
  let bar: TrainBar | undefined;
  const floors = createFloorsSaying(run, (line) => {
    if (bar) bar.say(line);
    else if (!json) console.error(line);
  });

  return {
    advanced(progress) {
      losses.push(...progress.losses);
      speeds.push(progress.tokensPerSecond);
      if (showsBar) bar ??= createTrainBar(run, unit);
      bar?.advanced(progress);
      floors.begin();
    },
    async validated(result) {
      last = result;
      const line = lineOf(run, { losses, speeds }, result);
      losses.length = 0;
      speeds.length = 0;
      bar?.validated(line.val_loss);
      if (json) console.log(JSON.stringify({ ...line, ...(await lastFigures(run)) }));
      else if (!showsBar) console.error(sentenceOf(line, result, unit));
    },
    async finished(end) {
      if (run.progress() >= 1) await floors.said();
      bar?.stop();
      const { output, best, isIdle, sample } = end;
      if (isIdle) {
        console.error(
          `the run in ${output} is complete at step ${run.step()}: expected a larger --steps, --epochs or --minutes`,
        );
        return;
      }
      for (const line of await outcomeOf(run, last, json ? undefined : sample)) console.error(line);
      for (const line of checkpointLines(run, output, best)) console.error(line);
      if (!json && run.progress() >= 1) console.error(continueHint(run, output));
    },
    stopping() {
      bar?.stop();
      console.error('\nstopping after these steps, then writing a checkpoint …');
    },
    interrupted(output) {
      console.error(`stopped at step ${run.step()}; ${resumeHint(output)}`);
    },
    failed(end) {
      floors.leaveOut();
      bar?.stop();
      const line = leftLine(end);
      if (line !== undefined) console.error(line);
    },
    setAside: (folder) =>
      console.error(`the checkpoints of an earlier run were moved to ${folder}`),
  };
}

/** Says once what is to be beaten: it is computed beside the training, which does not wait for it. */
function createFloorsSaying(run: TrainingRun, say: (line: string) => void) {
  let isLeftOut = false;
  let saying: Promise<void> | undefined;
  const work = async () => {
    const line = floorsLine(await run.floors());
    if (line !== undefined && !isLeftOut) say(line);
  };
  return {
    // Whoever needs them is told where they fail.
    begin: () => void (saying ??= work().catch(() => undefined)),
    said: () => saying,
    leaveOut: () => void (isLeftOut = true),
  };
}

function lineOf(
  run: TrainingRun,
  { losses, speeds }: { losses: readonly number[]; speeds: readonly number[] },
  { loss, layers, figures }: Validation,
): ReportLine {
  const activity = overallActivity(layers);
  return {
    step: run.step(),
    epoch: run.step() / run.stepsPerEpoch,
    loss: mean(losses),
    val_loss: loss,
    tokens_per_s: mean(speeds),
    ...(activity && {
      spike_rate: activity.rate,
      dead_share: activity.dead,
      saturated_share: activity.saturated,
    }),
    ...figures,
  };
}

/** The checkpoint that an error left: of a run that diverged the best one, as going on from the last would not mend it. */
function leftLine({ error, last, best = last, output }: FailedEnd): string | undefined {
  if (last === undefined) return undefined;
  if (!(error instanceof EngineError) || error.code !== 'diverged') {
    return `the checkpoint of step ${last} is intact; ${resumeHint(output)}`;
  }
  return (
    `the best checkpoint of ${output}, of step ${best}, is intact: ` +
    'generate, evaluate, serve and register take that one'
  );
}

const resumeHint = (output: string): string =>
  `go on with:\n  npm run -s spikegrid -- train --resume ${quote(output)}`;

function checkpointLines(run: TrainingRun, output: string, best: number | undefined): string[] {
  const last = `checkpoint of step ${run.step()} in ${output}`;
  if (best === undefined || best === run.step()) return [last];
  return [
    last,
    `the validation loss was lowest at step ${best}: generate, evaluate, serve and register take that checkpoint, --resume the last one`,
  ];
}

/** A run whose budget is spent goes on for as long again. */
function continueHint({ settings: { budget } }: TrainingRun, output: string): string {
  const amount = { steps: 0, epochs: 0, minutes: 0, ...budget }[budget.kind];
  return `${resumeHint(output)} --${budget.kind} ${2 * amount}`;
}

function introduce({ device, layout, settings, programs }: TrainingRun, data: RunData): void {
  const arena = Math.max(...programs.map((program) => program.arena.arenaBytes));
  const mebibytes = Math.ceil((arena + 4 * layout.blockBytes) / 2 ** 20);
  console.error(
    `${data.name}: ${data.length} ${unitOf(settings)}, ${inWords(data.shape)}\n` +
      `${settings.architecture}: ${layout.count} parameters, ` +
      `${inWords({ ...settings.fields, batch_size: settings.batch })}; ${mebibytes} MiB\n` +
      device.label,
  );
}

/** Unit of a run's data: tokens of text, or examples. */
function unitOf({ architecture }: RunSettings): string {
  return familyDescriptions[architecture].category === 'LangText' ? 'tokens' : 'examples';
}

/** Such as `d_model 32, seq_len 32`. */
function inWords(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');
}

function sentenceOf(line: ReportLine, { figures = {} }: Validation, unit: string): string {
  const others = Object.entries(figures).map(([name, value]) => `  ${name} ${value.toFixed(4)}`);
  return (
    `step ${line.step}  loss ${line.loss.toFixed(4)}  validation ${line.val_loss.toFixed(4)}  ` +
    `${Math.round(line.tokens_per_s)} ${unit}/s${firingOf(line)}${others.join('')}`
  );
}

function firingOf({ spike_rate, dead_share }: ReportLine): string {
  if (spike_rate === undefined || dead_share === undefined) return '';
  return `  firing ${(100 * spike_rate).toFixed(1)} %  dead ${(100 * dead_share).toFixed(1)} %`;
}

function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length;
}

/** For a command line that is shown, not run. */
function quote(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
