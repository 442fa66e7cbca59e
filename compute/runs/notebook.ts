import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { EpochReport, FitOptions, Inputs, Model, StepReport } from '../../engine/index.ts';
import { openEvents } from './event-file.ts';
import { type MetricLine, openMetrics } from './metrics-file.ts';
import { BEST, BEST_MODEL, jsonText, LAST_MODEL, TRAINING, writeWhole } from './run-files.ts';
import { readBest } from './run-log.ts';

interface NotebookOptions {
  readonly model: Model;
  readonly options: FitOptions;
  readonly sample: Inputs | undefined;
  readonly tensorboard: boolean;
  /** The step that a run resumes from. */
  readonly from: number | undefined;
}

interface Notebook extends Required<Pick<FitOptions, 'onReport' | 'onEpoch'>> {
  /** Waits until all lines are written. Throws what writing them threw. */
  flush(): Promise<void>;
  findings(): Findings;
}

/** For the report, as far as training came. */
export interface Findings {
  readonly lines: readonly MetricLine[];
  readonly rates: Readonly<Record<string, number>>;
  readonly confusion: Uint32Array | undefined;
}

/** Opens the notebook of a run of `fit`: callbacks that write down what happens, and call those of the options. */
export async function openNotebook(folder: string, given: NotebookOptions): Promise<Notebook> {
  const { model, options, sample, tensorboard, from } = given;
  await mkdir(folder, { recursive: true });
  const metrics = await openMetrics(folder, from);
  const events = tensorboard ? await openEvents(folder, metrics.lines) : undefined;
  const isBest = createJudge(options, from === undefined ? undefined : await readBest(folder));
  let step = from ?? 0;
  let firing: Firing | undefined;
  let confusion: Findings['confusion'];
  /** One line after another: a report does not wait for its line. */
  let writing = Promise.resolve();
  const append = (line: MetricLine) => {
    writing = writing.then(async () => {
      await metrics.append(line);
      await events?.append(metrics.lines.at(-1) ?? line);
    });
    // Thrown by flush.
    writing.catch(() => undefined);
  };
  const judged = async (report: EpochReport) => {
    const { epoch, validation: { loss, accuracy } = {} } = report;
    append({
      kind: 'validation',
      step,
      epoch,
      ...(loss !== undefined && { val_loss: loss }),
      ...(accuracy !== undefined && { accuracy }),
      ...firing,
    });
    await writing;
    await writeWhole(join(folder, LAST_MODEL), model.save());
    if (loss === undefined || !isBest(report)) return;
    await writeWhole(join(folder, BEST_MODEL), model.save());
    await writeWhole(join(folder, BEST), jsonText({ step, val_loss: loss }));
  };
  return {
    findings: () => ({ lines: metrics.lines, rates: firing?.rates ?? {}, confusion }),
    flush: () => writing,
    onReport(report) {
      step = report.step;
      append(lineOf(report));
      options.onReport?.(report);
    },
    async onEpoch(report, trained, save) {
      firing = sample && (await firingOf(trained, sample));
      confusion = report.validation?.confusion ?? confusion;
      await judged(report);
      // A run that is killed resumes from here.
      await writeWhole(join(folder, TRAINING), await save());
      return options.onEpoch?.(report, trained, save);
    },
  };
}

const lineOf = ({ step, epoch, loss, norm, learningRate, seconds }: StepReport): MetricLine => ({
  kind: 'train',
  step,
  epoch,
  loss,
  grad_norm: norm,
  learning_rate: learningRate,
  seconds,
});

interface Firing {
  /** Spikes per neuron and time step, of all neurons. */
  readonly spike_rate: number;
  /** The same of each layer. */
  readonly rates: Readonly<Record<string, number>>;
}

async function firingOf(model: Model, sample: Inputs): Promise<Firing> {
  const { layers } = await model.observe(sample);
  const sums = layers.map(({ rates }) => rates.reduce((sum, rate) => sum + rate, 0));
  const neurons = layers.reduce((count, { rates }) => count + rates.length, 0);
  return {
    spike_rate: sums.reduce((all, sum) => all + sum, 0) / neurons,
    rates: Object.fromEntries(
      layers.map(({ name, rates }, i) => [name, (sums[i] ?? 0) / rates.length]),
    ),
  };
}

/** Tells whether an epoch is the best so far, as `earlyStopping.by` judges. */
function createJudge(
  { earlyStopping }: FitOptions,
  before: { readonly val_loss: number } | undefined,
): (report: EpochReport) => boolean {
  const isByAccuracy = earlyStopping?.by === 'accuracy';
  let best = before && !isByAccuracy ? -before.val_loss : -Infinity;
  return ({ validation }) => {
    const score = isByAccuracy ? (validation?.accuracy ?? 0) : -(validation?.loss ?? Infinity);
    if (!(score > best)) return false;
    best = score;
    return true;
  };
}
