import type * as z from 'zod/mini';
import type { WeightForm } from '../checkpoint/stored-weights.ts';
import type { SafetensorsDType } from '../checkpoint/safetensors.ts';
import type { TrainingExecution } from '../checkpoint/training-state.ts';
import type { ParameterSpec } from '../graph/parameters.ts';

/** A tensor of a checkpoint that the optimiser does not touch, such as INT8 synapses. */
export interface KeptSpec {
  /** Its name in the file, distinct from those of all parameters. */
  readonly name: string;
  readonly dtype: SafetensorsDType;
  readonly shape: readonly number[];
  /** Part of the model though no gradient moves it: the members of a distributed job agree on it. */
  readonly agreed?: AgreedRange | undefined;
}

/** What float32 numbers that are agreed on may be; an outer step could lead beyond. */
export interface AgreedRange {
  readonly lowest: number;
  readonly highest: number;
}

/** How the models of a family are stored: enough to read and check a checkpoint, nothing that computes. */
export interface StoredFamily<Schema extends z.ZodMiniType> {
  /** Of its model_spec.json. */
  readonly spec: Schema;
  /** Parameters of a model in the order of their block. Throws EngineError `invalid-structure`. */
  parameters(spec: z.output<Schema>): readonly ParameterSpec[];
  /** What lies beside the parameters in model.safetensors; nothing where it is left out. */
  readonly kept?: (spec: z.output<Schema>) => readonly KeptSpec[];
  /** In what digits model.safetensors has the parameters; as they are trained where it is left out. */
  readonly form?: (spec: z.output<Schema>) => WeightForm;
  /** What only training needs, beside the moments in optimizer.safetensors; how a run trained may say so, too. */
  readonly keptForTraining?: (
    spec: z.output<Schema>,
    execution: TrainingExecution,
  ) => readonly KeptSpec[];
}
