import type { LayerAttributes } from './layer-kernels.ts';
import type { EpropAttributes } from './eprop-kernels.ts';
import type { PlasticityAttributes } from './plasticity-kernels.ts';
import type { SimulatorKernelAttributes } from './simulator-kernels.ts';
import type { ChronospikeAttributes } from './chronospike-kernels.ts';
import type { ConvolutionAttributes } from './convolution-kernels.ts';
import type { DistillationAttributes } from './distillation-kernels.ts';
import type { EncoderAttributes } from './encoder-kernels.ts';
import type { RecurrentAttributes } from './recurrent-kernels.ts';
import type { NirKernelAttributes } from './nir-kernels.ts';
import type { SensesAttributes } from './senses-kernels.ts';
import type { TransformerAttributes } from './transformer-kernels.ts';
import type { SparseAttributes } from './sparse-kernels.ts';
import type { MultimodalAttributes } from './multimodal-kernels.ts';

/** The static attributes of every kernel in the table: what its shaders and loops are built with. */
export type Surrogate = 'atan' | 'fast_sigmoid' | 'sigmoid' | 'triangle';

interface Steps {
  /** Time steps T. */
  readonly steps: number;
  /** Rows per time step, batch times sequence. */
  readonly rows: number;
  /** Features of a row. */
  readonly width: number;
}

interface Rows {
  readonly rows: number;
  readonly width: number;
}

interface Slots {
  /** Sequences whose state is kept; the operand `slots` says which one each row goes on from. */
  readonly slots: number;
}

interface Accumulate {
  /** Add to what the target holds instead of overwriting it. */
  readonly accumulate: boolean;
}

interface Lif extends Steps {
  /** 1 where the current is the same in every step and stored once, else `steps`. */
  readonly currentSteps: number;
  readonly beta: number;
  readonly threshold: number;
}

interface LifBackward extends Omit<Lif, 'currentSteps'> {
  readonly surrogate: Surrogate;
}

interface Product {
  /** Rows of the output. */
  readonly rows: number;
  /** Columns of the output. */
  readonly columns: number;
  /** Length of the dot products. */
  readonly depth: number;
}

/** Where the neurons that fired have a slope: their surrogate has a compact support. */
interface Slopes {
  /** Time steps; the rows of a product hold all of them. */
  readonly steps: number;
  readonly currentSteps: number;
  readonly beta: number;
  readonly threshold: number;
  /** Distance from the threshold at which the slope ends. */
  readonly reach: number;
}

interface Epilogue {
  /** Rows of the residual; smaller than `rows` where one residual serves every time step. */
  readonly residualRows: number;
}

interface Sequences extends Rows {
  /** Tokens of a sequence; `rows` is a multiple of it. */
  readonly sequence: number;
}

interface Partials extends Rows {
  /** Rows that one line of the partial sums covers. */
  readonly chunk: number;
}

interface Attention {
  readonly steps: number;
  readonly batch: number;
  readonly sequence: number;
  readonly heads: number;
  /** Features of one head. */
  readonly headWidth: number;
}

/** Features of a head lie at `offset + head * headWidth` of rows of `stride` features. */
interface Heads extends Omit<Attention, 'steps'> {
  /** What the sums are multiplied by. */
  readonly factor: number;
}

interface Count {
  readonly count: number;
}

/** Static attributes of each kernel: numbers become shader constants, booleans and strings choose variants. */
export interface KernelAttributes
  extends
    LayerAttributes,
    SimulatorKernelAttributes,
    ConvolutionAttributes,
    RecurrentAttributes,
    EncoderAttributes,
    DistillationAttributes,
    PlasticityAttributes,
    EpropAttributes,
    NirKernelAttributes,
    SensesAttributes,
    TransformerAttributes,
    MultimodalAttributes,
    ChronospikeAttributes,
    SparseAttributes {
  readonly fill: Count & { readonly value: number };
  readonly add: Count;
  readonly copy: Count;
  readonly sum_steps: Count & { readonly steps: number } & Accumulate;
  readonly mean_steps_forward: Count & { readonly steps: number };
  readonly mean_steps_backward: Count & { readonly steps: number } & Accumulate;
  readonly reduce_rows: Rows & Accumulate;
  readonly column_sum: Partials;
  readonly embedding_forward: Rows & { readonly vocabulary: number };
  readonly token_chain: { readonly rows: number };
  readonly embedding_backward: Rows & { readonly vocabulary: number };
  readonly linear_forward: Product & Epilogue;
  readonly linear_backward_input: Product & Accumulate;
  /** As linear_backward_input; what belongs to a neuron without a slope may be anything finite. */
  readonly linear_backward_spikes: Product & Accumulate & Slopes;
  readonly linear_backward_weight: Product & Accumulate;
  readonly spike_linear_forward: Product & Epilogue & Accumulate;
  readonly spike_linear_int8: Product & Epilogue;
  readonly transpose_bits: Rows;
  readonly lif_forward: Lif;
  /** The gradient of the spikes becomes that of the current, which has as many steps. */
  readonly lif_backward: LifBackward;
  /** The same for a current that is stored once: its gradients are summed over the steps. */
  readonly lif_backward_held: LifBackward;
  readonly lif_membrane: Lif;
  readonly spike_count: Rows;
  /** `counts` has a line for each slot with a place for each of `layers` layers. */
  readonly slot_spike_count: Steps & { readonly layers: number; readonly layer: number };
  readonly lif_membrane_backward: Omit<Lif, 'threshold'>;
  readonly membrane_spike_count: Steps & Pick<Lif, 'threshold'>;
  readonly layer_norm_forward: Rows & { readonly epsilon: number };
  readonly layer_norm_backward_input: Rows & Accumulate;
  readonly layer_norm_backward_parameters: Partials;
  readonly rms_norm_forward: Rows & { readonly epsilon: number };
  readonly rms_norm_backward_input: Rows & Accumulate;
  readonly rms_norm_backward_parameters: Partials;
  readonly token_shift_forward: Sequences;
  readonly token_shift_backward_input: Sequences & Accumulate;
  readonly token_shift_backward_mix: Sequences & { readonly chunk: number };
  readonly token_shift_step: Steps & Slots;
  readonly spike_attention_forward: Attention;
  readonly spike_attention_backward_scores: Attention;
  readonly spike_attention_backward: Attention;
  readonly spike_attention_step: Omit<Attention, 'sequence'> & Slots;
  readonly position_forward: Sequences;
  readonly gelu_forward: Count;
  readonly gelu_backward: Count & Accumulate;
  readonly attention_scores: Heads & {
    readonly queryStride: number;
    readonly queryOffset: number;
    readonly keyStride: number;
    readonly keyOffset: number;
  };
  /** `rows` of `width` scores; row r has the scores of token r % width for itself and those before. */
  readonly causal_softmax_forward: Rows;
  readonly causal_softmax_backward: Rows;
  readonly attention_values: Heads & {
    readonly valueStride: number;
    readonly valueOffset: number;
    readonly outputStride: number;
    readonly outputOffset: number;
    /** Sum over the queries of a key instead of the keys of a query. */
    readonly transpose: boolean;
  };
  readonly readout_mix_forward: Count;
  readonly readout_mix_backward: Count & {
    readonly accumulateDirect: boolean;
    readonly accumulateDeep: boolean;
  };
  readonly readout_mix_backward_mix: Count & { readonly chunk: number };
  /** `weights [rows]` say what each row counts for; 1 where they are left out. */
  readonly cross_entropy_forward: Rows;
  readonly cross_entropy_backward: Rows;
  readonly mean_loss: { readonly rows: number; readonly slots: number };
  readonly squared_norm: Count & { readonly chunk: number };
  readonly gradient_norm: { readonly rows: number; readonly slots: number };
  readonly adamw: Count & {
    /** Words at the front of the block that weight decay applies to. */
    readonly decayed: number;
    readonly beta1: number;
    readonly beta2: number;
    readonly epsilon: number;
  };
  readonly random_uniform: Count & { readonly stream: number };
  /** Row r has the probabilities of row `r % probabilityRows`. */
  readonly random_spikes: Rows & { readonly stream: number; readonly probabilityRows: number };
}
