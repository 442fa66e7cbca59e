import type { Player } from '../graph/backend.ts';
import type { ModelSpec } from '../checkpoint/checkpoint.ts';
import type { BufferSpec, StoredBuffers } from '../checkpoint/parameters-file.ts';
import type { WeightForm } from '../checkpoint/stored-weights.ts';
import type { TrainingExecution, TrainingState } from '../checkpoint/training-state.ts';
import type { Tokenizer } from '../data/tokenizers/tokenizer.ts';
import type { Floor } from '../evaluation/floors.ts';
import type { Pause } from '../evaluation/pauses.ts';
import type { ParameterLayout } from '../graph/parameters.ts';
import type { Program } from '../graph/program.ts';
import type { Tensor } from '../graph/tensor.ts';
import type { PrivacySpent } from './privacy/levels.ts';
import type { BatchFeed, Validation } from './run.ts';

/** A step of training as every family traces it. */
export interface StepProgram {
  readonly program: Program;
  readonly clock: Tensor;
  readonly rates: Tensor;
  /** Mean losses and gradient norms of the latest steps, each in the slot `step % length`. */
  readonly losses: Tensor;
  readonly norms: Tensor;
  /** Programs that take turns, step by step, the first of which is `program`. */
  readonly groups?: readonly Program[];
  /** Played in its place over the first share of the budget, on the same inputs and histories. */
  readonly early?: EarlyStep;
}

/** A step for the beginning of a run. */
export interface EarlyStep {
  readonly program: Program;
  /** Fraction of the budget. */
  readonly until: number;
  /** `f32[1]`: how much of that share is spent, from 0 to 1. */
  readonly hardness: Tensor;
}

/** A persistent tensor on the device that is no parameter and is stored in checkpoints. */
export interface RunBuffer extends BufferSpec {
  /** Holds the elements packed into words, in the order of memory. */
  readonly tensor: Tensor;
}

/** Parts that a family supplies to the training loop. */
export interface RunParts<Views extends object = object> {
  readonly layout: ParameterLayout;
  /** All that the run plays. */
  readonly programs: readonly Program[];
  readonly train: StepProgram;
  readonly feed: BatchFeed;
  /** Tokens of text, or examples, of a step. */
  readonly itemsPerStep: number;
  /** Of the model and its data, for checkpoints. */
  readonly spec: ModelSpec;
  readonly tokenizer?: Tokenizer;
  readonly data: Omit<TrainingState['data'], 'position'>;
  readonly buffers?: readonly RunBuffer[];
  readonly trainingBuffers?: readonly RunBuffer[];
  /** Further tensors of model.safetensors that no device needs, such as the patches that image codes stand for. */
  readonly constants?: StoredBuffers;
  /** The privacy budget a run has spent after some steps. */
  readonly privacy?: (steps: number) => PrivacySpent;
  /** The spec where training changes what it says. */
  readonly describe?: (player: Player) => Promise<ModelSpec>;
  /** Sets what is kept besides parameters; a run that continues has it from its checkpoint then. */
  readonly start?: (player: Player) => void;
  /** Nats of an answer that is guessed. */
  readonly guess: number;
  /** Baselines on the validation data, computed in slices. */
  readonly floors: (pause: Pause) => Promise<readonly Floor[]>;
  /** The loss without learning. */
  readonly validate: (player: Player) => Promise<Validation>;
  /** Written into checkpoints. */
  readonly execution: TrainingExecution;
  /** Precision of the stored parameters; as trained by default. */
  readonly form?: WeightForm;
  /** Views of the model that the run offers beside its own methods. */
  readonly views?: (player: Player) => Views;
}
