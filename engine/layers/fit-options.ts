import type { Loss } from '../losses/loss.ts';
import type { OutputKind } from '../losses/outputs.ts';
import type { Optimizer } from '../optimizers/optimizer.ts';
import type { Schedule } from '../optimizers/schedules.ts';
import type { Data } from './batch-source.ts';
import type { Evaluation } from './evaluate.ts';
import { type Averaging, checkAveraging } from './fit-average.ts';
import type { Model } from './model.ts';
import { optimizerOf } from './fit-recipe.ts';
import { countOf, givenOptions, refused, seedOf } from './options.ts';

/** Steps that were just done. */
export interface StepReport {
  /** From 1 on. */
  readonly epoch: number;
  readonly epochs: number;
  /** Steps done, in all epochs. */
  readonly step: number;
  /** Mean over the steps since the last report. */
  readonly loss: number;
  /** Of the gradient of the last step, before clipping. */
  readonly norm: number;
  readonly learningRate: number;
  /** Since training began. */
  readonly seconds: number;
}

/** An epoch that has just ended. */
export interface EpochReport {
  /** From 1 on. */
  readonly epoch: number;
  /** Mean over its steps. */
  readonly loss: number;
  /** On the examples of `validation`; absent without them. */
  readonly validation?: Evaluation;
  readonly seconds: number;
}

/** Ends training once the validation has got no better for some epochs. */
export interface EarlyStopping {
  /** Epochs in a row that may pass without a better one. */
  readonly patience: number;
  /** Of the validation: `loss` (default), or `accuracy`. */
  readonly by?: 'loss' | 'accuracy';
}

/** How `fit` trains. The loss has no default: it says what the network is to learn. */
export interface FitOptions {
  readonly loss: Loss;
  /** `adamW(3e-3)` whose rate falls along half a cosine by default, measured in docs/decisions/0044. */
  readonly optimizer?: Optimizer;
  /** Times that all examples are seen; 1 by default. */
  readonly epochs?: number;
  /** Examples of a step; 32 by default. Those left over at the end of an epoch are seen in another one. */
  readonly batchSize?: number;
  /** Examples to be judged on after every epoch. */
  readonly validation?: Data;
  /** Numbers of the last layer that the accuracy of the validation is taken from, as in `predict`. */
  readonly on?: OutputKind;
  /**
   * Multiplies the learning rate of the optimizer, by steps done and steps in all. One by default, where an optimizer
   * is given.
   */
  readonly schedule?: Schedule;
  /** Steps of an epoch, which a schedule, that of the default optimizer too, needs to know of data that is iterated. */
  readonly stepsPerEpoch?: number;
  /** Of the order of examples and of every random draw; 0 by default. */
  readonly seed?: number;
  /** Ends training when the validation gets no better. */
  readonly earlyStopping?: EarlyStopping;
  /**
   * Averages the parameters: the model, its validation and its best epoch have those, training goes on with its own.
   */
  readonly average?: Averaging;
  /**
   * Runs the time steps in about so many segments, of which one at a time is in memory: the gradients of all steps
   * at once, for long T. Layers and losses that cannot be run so are named (docs/design/layers.md); 1 by default.
   */
  readonly segments?: number;
  /** Leaves the model with the parameters of the epoch whose validation was best. */
  readonly keepBest?: boolean;
  /** Goes on from what `history.save()` gave, bit by bit as if there had been no break. */
  readonly resume?: Uint8Array;
  /** Ends training after the step that it is in; the history says so. */
  readonly signal?: AbortSignal;
  /** Called every few steps. */
  readonly onReport?: (report: StepReport) => void;
  /**
   * Called after every epoch, when the model has its parameters; ends training where it returns `stop`. `save` gives
   * where training stands, as `history.save()` at its end: what a run whose device is lost goes on from.
   */
  readonly onEpoch?: (
    report: EpochReport,
    model: Model,
    save: () => Promise<Uint8Array<ArrayBuffer>>,
  ) => void | 'stop' | Promise<void | 'stop'>;
}

const OPTIONS = [
  'loss',
  'optimizer',
  'epochs',
  'batchSize',
  'validation',
  'on',
  'schedule',
  'stepsPerEpoch',
  'seed',
  'earlyStopping',
  'average',
  'segments',
  'keepBest',
  'resume',
  'signal',
  'onReport',
  'onEpoch',
] as const satisfies readonly (keyof FitOptions)[];
const DEFAULT_BATCH = 32;
const MAX_EPOCHS = 1e9;

/** Options with their defaults. Throws EngineError `invalid-setting` that names the one that is wrong. */
export function checkFit(options: FitOptions) {
  givenOptions('fit', options, OPTIONS);
  const { optimizer, schedule } = optimizerOf(options);
  const {
    loss,
    epochs = 1,
    batchSize = DEFAULT_BATCH,
    keepBest = false,
    seed = 0,
    segments = 1,
  } = options;
  if (typeof loss?.trace !== 'function') {
    throw refused('fit', `loss is ${kindOf(loss)}: expected a loss, such as crossEntropy()`);
  }
  if (typeof optimizer?.update !== 'function') {
    throw refused('fit', `optimizer is ${kindOf(optimizer)}: expected one, such as adamW(5e-4)`);
  }
  checkSignal(options);
  checkJudged(options);
  return {
    ...options,
    optimizer,
    schedule,
    seed: seedOf(seed),
    keepBest,
    average: checkAveraging(options.average),
    segments: countOf('fit', 'segments', segments),
    epochs: countOf('fit', 'epochs', epochs, MAX_EPOCHS),
    batchSize: countOf('fit', 'batchSize', batchSize),
  };
}

function checkSignal({ signal }: FitOptions): void {
  if (signal === undefined || typeof signal.aborted === 'boolean') return;
  throw refused(
    'fit',
    `signal is ${kindOf(signal)}: expected an AbortSignal, such as controller.signal`,
  );
}

/** Options that a validation is needed for. */
function checkJudged({ earlyStopping, keepBest, validation, loss }: FitOptions): void {
  if (!validation && (earlyStopping !== undefined || keepBest === true)) {
    const name = earlyStopping ? 'earlyStopping' : 'keepBest';
    throw refused('fit', `${name} needs examples to judge by: expected validation`);
  }
  if (!earlyStopping) return;
  countOf('fit', 'earlyStopping.patience', earlyStopping.patience);
  if (earlyStopping.by === 'accuracy' && loss.target !== 'classes') {
    throw refused(
      'fit',
      `earlyStopping by accuracy, and the targets of ${loss.name} are ${loss.target}: expected by "loss"`,
    );
  }
}

const kindOf = (value: unknown): string =>
  typeof value === 'string'
    ? `"${value}"`
    : typeof value === 'function'
      ? 'a function'
      : String(value);
