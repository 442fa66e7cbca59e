import type { Program } from '../../graph/program.ts';
import type { Tensor } from '../../graph/tensor.ts';
import type { StepProgram } from '../../train/run-parts.ts';
import type { LayerCount } from '../../train/spike-statistics.ts';

/** Losses and norms kept on the device; read them back before as many plays have passed. */
export const HISTORY_SLOTS = 256;

/** A batch of token sequences. */
export interface BatchShape {
  readonly batch: number;
  readonly sequence: number;
}

/** Tokens in, and the loss of those that follow out. */
export interface LossTensors {
  /** `u32[batch * sequence]` */
  readonly ids: Tensor;
  readonly targets: Tensor;
  /** `[1, batch * sequence, vocabulary]`: log-probabilities added to the logits, where the model has tables. */
  readonly prior?: Tensor | undefined;
  readonly clock: Tensor;
  /** `[HISTORY_SLOTS]`: mean nats per token. */
  readonly losses: Tensor;
}

export interface LossProgram extends LossTensors {
  readonly program: Program;
}

/** The loss without learning, and the spikes of every neuron, added up over plays; no layers where none fires. */
export interface EvaluateProgram extends LossProgram {
  readonly layers: readonly LayerCount[];
}

/** The loss of chunk after chunk of a text, each row going on from what it carries. */
export interface StreamProgram extends LossProgram {
  /** `u32[batch]`: where rows begin a text. */
  readonly begins: Tensor;
}

/** A step of training. */
export interface TextStep extends StepProgram, LossTensors {
  /** `u32[batch]` of a run whose rows read the text in order: where they begin one. */
  readonly begins?: Tensor;
}
