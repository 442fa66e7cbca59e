import { Presets, SingleBar } from 'cli-progress';
import {
  familyFacts,
  overallActivity,
  type Progress,
  type RunData,
  type RunSettings,
  type TrainingRun,
  type Validation,
} from '../../engine/index.ts';

/** Tells a person, or a program that reads lines of JSON, how a run goes. */
export interface Reporter {
  advanced(progress: Progress): void;
  validated(validation: Validation): void;
  /** The budget is spent or the user stopped; idle when no step was left to make. */
  finished(output: string, how: { readonly isIdle: boolean }): void;
  interrupted(output: string): void;
  /** An error ended the run; `lastStep` is that of its last checkpoint. */
  failed(lastStep: number | undefined, output: string): void;
  /** An earlier run's checkpoints were moved out of the way. */
  setAside(folder: string): void;
}

/** One line of `--json`. Losses are means in nats per character since the line before. */
export interface ReportLine {
  readonly step: number;
  readonly epoch: number;
  readonly loss: number;
  readonly val_loss: number;
  readonly tokens_per_s: number;
  /** Spikes per neuron and time step, on the validation text; left out, as the next two, where no neuron fires. */
  readonly spike_rate?: number;
  readonly dead_share?: number;
  readonly saturated_share?: number;
  /** What else the family measures on the validation data, such as accuracy. */
  readonly [figure: string]: number | undefined;
}

const PERMILLE = 1000;

export function createReporter(run: TrainingRun, data: RunData, json: boolean): Reporter {
  const losses: number[] = [];
  const speeds: number[] = [];
  const unit = unitOf(run.settings);
  const bar = json || !process.stderr.isTTY ? undefined : createBar(unit);
  if (!json) introduce(run, data);
  bar?.start(PERMILLE, 0, { step: run.step(), loss: '…', validation: '…', speed: '…' });
  let validation = '…';

  return {
    advanced(progress) {
      losses.push(...progress.losses);
      speeds.push(progress.tokensPerSecond);
      bar?.update(Math.floor(run.progress() * PERMILLE), {
        step: run.step(),
        loss: (progress.losses.at(-1) ?? Number.NaN).toFixed(3),
        validation,
        speed: Math.round(progress.tokensPerSecond),
      });
    },
    validated(result) {
      const line = lineOf(run, { losses, speeds }, result);
      validation = line.val_loss.toFixed(3);
      losses.length = 0;
      speeds.length = 0;
      if (json) console.log(JSON.stringify(line));
      else if (!bar) console.error(sentenceOf(line, result, unit));
    },
    finished(output, { isIdle }) {
      bar?.stop();
      console.error(
        isIdle
          ? `the run in ${output} is complete at step ${run.step()}: expected a larger --steps, --epochs or --minutes`
          : `checkpoint of step ${run.step()} in ${output}`,
      );
    },
    interrupted(output) {
      console.error(`stopped at step ${run.step()}; ${resumeHint(output)}`);
    },
    failed(lastStep, output) {
      bar?.stop();
      if (lastStep === undefined) return;
      console.error(`the checkpoint of step ${lastStep} is intact; ${resumeHint(output)}`);
    },
    setAside: (folder) =>
      console.error(`the checkpoints of an earlier run were moved to ${folder}`),
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

const resumeHint = (output: string): string =>
  `go on with:\n  npm run -s spikegrid -- train --resume ${quote(output)}`;

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

/** What a run reads: tokens of text, or examples. */
function unitOf({ architecture }: RunSettings): string {
  return familyFacts[architecture].category === 'LangText' ? 'tokens' : 'examples';
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

function createBar(unit: string): SingleBar {
  const format =
    ' {bar} {percentage} % | step {step} | loss {loss} | validation {validation} | ' +
    `{speed} ${unit}/s | {eta_formatted} left`;
  return new SingleBar({ format, hideCursor: true, etaBuffer: 50 }, Presets.shades_classic);
}

function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length;
}

/** For a command line that is shown, not run. */
function quote(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
