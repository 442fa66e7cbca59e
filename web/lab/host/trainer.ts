import type { TrainingRun } from '../../../engine/index.ts';
import type { ObservationFacts, ProgressFacts, ValidationFacts } from '../protocol.ts';
import { createReport, type Report } from './report.ts';
import { createStride } from './stride.ts';
import type { Turns } from './turns.ts';

/** Callbacks from a trainer to the lab around it. */
export interface TrainerHooks {
  /** How long to train before others get the device, ms. */
  readonly strideMs: () => number;
  readonly progressed: (progress: ProgressFacts) => void;
  /** Awaited before the next step. */
  readonly validated: (validation: ValidationFacts) => Promise<void>;
  readonly observed: (observation: ObservationFacts) => void;
  /** No step is under way any more, and none follows before the next `train`. */
  readonly stopped: () => void;
  /** The budget is spent and the last validation done. */
  readonly spent: () => void;
  readonly failed: (error: unknown) => void;
  /** Between two strides: the others' chance to look at the run. */
  readonly between: () => Promise<void>;
}

interface TrainerOptions {
  readonly run: TrainingRun;
  readonly turns: Turns;
  /** Steps between two validations. */
  readonly validateEvery: number;
  readonly now: () => number;
}

/** Trains a run in strides, so that what was asked for meanwhile is answered between them. */
export class Trainer {
  readonly #options: TrainerOptions;
  readonly #hooks: TrainerHooks;
  readonly #stride = createStride();
  readonly #report: Report;
  #goal: 'none' | 'budget' | 'step' = 'none';
  #activity: 'idle' | 'stepping' | 'other' = 'idle';
  #loop: Promise<void> = Promise.resolve();
  #validatedStep: number;

  constructor(options: TrainerOptions, hooks: TrainerHooks) {
    this.#options = options;
    this.#hooks = hooks;
    this.#validatedStep = options.run.step();
    this.#report = createReport(options.run, options.now, hooks.progressed);
  }

  /** Goes on until the budget is spent, or for one step. */
  train(goal: 'budget' | 'step'): void {
    this.#goal = goal;
    if (this.#activity === 'idle') this.#loop = this.#trainOn();
  }

  /** Ends after the steps under way. A validation goes on, but takes no step: the pause holds at once. */
  pause(): void {
    if (this.#goal === 'none') return;
    this.#goal = 'none';
    if (this.#activity === 'other') this.#stop();
  }

  /** Reports how far the run is, without a step. */
  report(): void {
    this.#report.now();
  }

  /** Settles once nothing of the trainer uses the device. */
  idle(): Promise<void> {
    return this.#loop;
  }

  async #trainOn(): Promise<void> {
    this.#activity = 'other';
    this.#report.restart();
    try {
      while (this.#goal !== 'none') await this.#turn();
    } catch (error) {
      this.#goal = 'none';
      this.#hooks.failed(error);
    } finally {
      this.#activity = 'idle';
    }
  }

  async #turn(): Promise<void> {
    const { run, validateEvery } = this.#options;
    if (run.progress() >= 1) return this.#finish();
    await this.#step();
    await this.#hooks.between();
    if (run.step() % validateEvery === 0) await this.#validate();
  }

  async #step(): Promise<void> {
    const { run, turns } = this.#options;
    const steps = this.#goal === 'step' ? 1 : this.#strideSteps();
    this.#activity = 'stepping';
    const progress = await turns.take(() => run.advance(steps));
    this.#activity = 'other';
    this.#stride.took(steps, progress.seconds * 1000);
    this.#report.add(progress);
    // A pause asked for meanwhile holds from here on, before anything else that takes time.
    if (this.#goal !== 'budget') this.#stop();
  }

  /** Up to the next validation and no further than the budget. */
  #strideSteps(): number {
    const { run, validateEvery } = this.#options;
    const step = run.step();
    const toValidation = validateEvery - (step % validateEvery);
    const toEnd = (run.totalSteps ?? Number.POSITIVE_INFINITY) - step;
    return Math.min(this.#stride.next(this.#hooks.strideMs()), toValidation, toEnd);
  }

  #stop(): void {
    this.#goal = 'none';
    this.#report.flush();
    this.#hooks.stopped();
  }

  async #finish(): Promise<void> {
    await this.#validate();
    this.#goal = 'none';
    this.#report.flush();
    this.#hooks.spent();
  }

  async #validate(): Promise<void> {
    const { run } = this.#options;
    const step = run.step();
    if (this.#validatedStep === step) return;
    this.#validatedStep = step;
    const validation = await run.validate();
    const { loss, layers, figures = {} } = validation;
    const verdict = run.progress() < 1 ? undefined : await run.verdict(validation);
    await this.#hooks.validated({ step, loss, layers, figures, ...(verdict && { verdict }) });
  }
}
