import type { Backend, DeviceDescription, Player } from '../graph/backend.ts';
import type { StoredTraining } from '../checkpoint/checkpoint.ts';
import type { CheckpointFiles } from '../checkpoint/files.ts';
import type { Floor } from '../evaluation/floors.ts';
import type { Verdict } from '../evaluation/verdict.ts';
import type { ParameterLayout } from '../graph/parameters.ts';
import type { Program } from '../graph/program.ts';
import type { ProfileName, TrainingControls } from '../settings/controls.ts';
import type { RunSettings } from '../settings/run-settings.ts';
import type { KernelProfile } from './profile.ts';
import type { LayerActivity } from './spike-statistics.ts';

/** Options of every run besides its data. */
export interface RunOptions {
  readonly backend: Backend;
  readonly settings: RunSettings;
  readonly controls: TrainingControls;
  /** Written into checkpoints; that of the run that continues by default. */
  readonly profile?: ProfileName | undefined;
  /** Go on from here; must be of the same data and structure. */
  readonly resume?: StoredTraining | undefined;
  /** Decides which examples are drawn; the seed of the settings by default. */
  readonly dataSeed?: number;
  /** The rate of each step in place of the schedule's, for a run that tries rates. */
  readonly rateAt?: (step: number) => number;
}

/** Results of some training steps. */
export interface Progress {
  /** Mean loss of each step, in nats a token or an example. */
  readonly losses: Float32Array;
  /** Global norm of the gradient at each step, before clipping. */
  readonly norms: Float32Array;
  readonly seconds: number;
  /** Tokens of text; examples of any other data. */
  readonly tokensPerSecond: number;
}

/** How well the model does on data it does not learn from. */
export interface Validation {
  readonly loss: number;
  readonly layers: readonly LayerActivity[];
  /** Further measurements of the family, by their names on the wire, such as `accuracy`. */
  readonly figures?: Readonly<Record<string, number>>;
  /** Of a classifier: how many examples of each class, by row, got which answer. */
  readonly confusion?: readonly (readonly number[])[];
}

/** One training run on one device. Steps, validation and generation may be interleaved freely. */
export interface TrainingRun {
  readonly device: DeviceDescription;
  readonly settings: RunSettings;
  readonly layout: ParameterLayout;
  readonly programs: readonly Program[];
  readonly stepsPerEpoch: number;
  /** Tokens of text, or examples, that a step learns from. */
  readonly itemsPerStep: number;
  /** Steps the budget allows; undefined for a budget in minutes. */
  readonly totalSteps: number | undefined;
  /** Optimiser steps done. */
  step(): number;
  /** Fraction of the budget spent, from 0 to 1. */
  progress(): number;
  /**
   * Baselines on the validation data, the simplest first; computed once, from the first request on, in slices between
   * which others have the thread. Rejects with `AbortError` where the run is closed meanwhile.
   */
  floors(): Promise<readonly Floor[]>;
  /** Compares a validation with the floors, with the likely reason of a simple one that is missed; undefined without any. */
  verdict(validation: Validation): Promise<Verdict | undefined>;
  /**
   * Trains `count` steps. Throws EngineError `diverged` when the loss or the gradient is no number any more,
   * or the loss stays far above that of guessing.
   */
  advance(count: number): Promise<Progress>;
  /** Throws EngineError `diverged` as `advance`; at the end of the budget for one loss far above guessing. */
  validate(): Promise<Validation>;
  checkpoint(): Promise<CheckpointFiles>;
  /**
   * A copy of what the members of a distributed job agree on: the parameter block, padding included,
   * and behind it what else training moves of the model, such as the beta that rewards move.
   */
  parameters(): Promise<Float32Array>;
  /** A copy of the gradients of the last step, laid out as the parameters; zero before the first. */
  gradients(): Promise<Float32Array>;
  /**
   * Overwrites what `parameters` reads; the moments of the optimiser stay as they are. A run that averages its weights
   * averages those of the steps that follow: the members of a distributed run agree on no others.
   */
  setParameters(values: Float32Array): void;
  /** Draws other examples from the next step on. Not while `advance` runs. */
  reseedData(seed: number): void;
  /**
   * Tells how many steps of the budget all members of a distributed run have spent, and how many
   * train now: each step spends as many. The schedule follows what is spent. A budget of minutes
   * is spent by the clock of this member.
   */
  shareBudget(spentSteps: number, members: number): void;
  /**
   * Plays the training step `plays` times more on its last batch and says what each kernel took. The
   * parameters learn from it: profile when the run is done.
   */
  profile(plays: number): Promise<readonly KernelProfile[]>;
  close(): void;
}

/** Where the examples of a step come from. Which they are depends on a seed and the step alone. */
export interface BatchFeed {
  readonly stepsPerEpoch: number;
  /** Reads what a step needs; undefined where it is in memory, as at most steps. */
  load(step: number): Promise<void> | undefined;
  /** From the next step on, others are drawn; what that step needs has to be loaded again. */
  reseed(seed: number): void;
  /** Writes the examples of a step that was loaded into the inputs of the training program. */
  write(player: Player, step: number): void;
}
