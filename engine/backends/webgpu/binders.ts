import type { KernelCall } from '../../graph/kernel.ts';
import { byteWords, wordsPerRow } from '../../graph/tensor.ts';
import type { Attributes, KernelName, WrittenName } from '../../kernels/kernels.ts';
import { weightShape } from '../../kernels/synapses.ts';
import { isWritten } from '../../kernel-language/written-kernel.ts';
import {
  type Binder,
  type Dispatch,
  elements,
  fold,
  generatedDispatch,
  rows,
  variant,
  workgroups,
} from './dispatch.ts';
import {
  convolutionBackwardInput,
  convolutionBackwardWeight,
  convolutionForward,
  product,
  spikeProduct,
} from './products.ts';
import type { DeviceProfile } from './profile.ts';

/** Kernels whose grid follows from their attributes: an invocation for each element of `count` or of the rows. */
type Regular = {
  [K in KernelName]: Attributes<K> extends
    | { readonly count: number }
    | { readonly rows: number; readonly width: number }
    ? K
    : never;
}[Exclude<KernelName, WrittenName>];

type Binders = {
  readonly [K in Exclude<KernelName, Regular | WrittenName>]: Binder<Attributes<K>>;
} & { readonly [K in Regular]?: Binder<Attributes<K>> };

/** A gradient that goes back through the weight of a product, which is read transposed. */
const RETURNED = { gradient: 'left', weight: 'right', inputGradient: 'output' };

/** The grids that do not follow from a kernel's attributes, and shaders that several kernels share. */
const binders: Binders = {
  random_spikes: elements(spikeWords),
  token_chain: elements((a) => a.rows),

  linear_forward: product({ input: 'left', weight: 'right' }),
  linear_backward_input: product(RETURNED, { TRANSPOSE_RIGHT: true }),
  // Tiles are multiplied whole, wherever the slopes are.
  linear_backward_spikes: product(RETURNED, { TRANSPOSE_RIGHT: true }),
  linear_backward_weight: product(
    { input: 'left', gradient: 'right', weightGradient: 'output' },
    { TRANSPOSE_LEFT: true },
  ),
  spike_linear_forward: spikeProduct,
  spike_linear_int8: elements((a) => a.rows * byteWords(a.columns)),
  transpose_bits: elements((a) => wordsPerRow(a.rows) * wordsPerRow(a.width)),

  spike_attention_forward: elements((a) => a.steps * a.batch * a.sequence * headQuads(a)),
  spike_attention_backward_scores: elements((a) => a.steps * a.batch * a.heads * a.sequence ** 2),
  spike_attention_backward: elements((a) => 3 * a.steps * a.batch * a.sequence * headQuads(a)),
  spike_attention_step: elements((a) => a.steps * a.batch * a.heads * a.headWidth),
  attention_scores: elements(
    (a) => a.batch * a.heads * Math.ceil(a.sequence / 4) ** 2,
    (a) => ({ conditions: { QUADS: hasQuads(a) } }),
  ),
  causal_softmax_forward: rows((a) => a.rows),
  attention_values: elements(
    (a) => a.batch * Math.ceil(a.sequence / 4) * headQuads(a),
    (a) => ({ conditions: { QUADS: hasQuads(a) } }),
  ),
  cached_attention: rows((a) => a.rows * a.heads),
  carried_attention_forward: elements(
    (a) => a.steps * a.batch * a.sequence * a.heads * a.headWidth,
  ),
  carried_attention_backward: elements(
    (a) => a.steps * a.batch * a.sequence * a.heads * a.headWidth,
  ),
  carried_attention_update: elements((a) => a.steps * a.batch * a.heads * a.headWidth ** 2),

  // An invocation adds up 64 rows.
  spike_count: elements((a) => Math.ceil(a.rows / 64) * a.width),
  slot_spike_count: rows((a) => a.rows),
  integer_lif: workgroups((a) => Math.ceil(spikeWords(a) / 4)),
  recurrent_lif_forward: shared((a) => a.rows),
  recurrent_lif_backward: shared((a) => a.rows),
  energy_gate: elements((a) => (a.rows / a.sequence) * wordsPerRow(a.width)),

  decay_scores: elements((a) => a.rows * a.sequence),
  private_gradient: elements((a) => Math.ceil(a.count / 4)),

  conv2d_forward: convolutionForward,
  conv2d_backward_input: convolutionBackwardInput,
  conv2d_backward_weight: convolutionBackwardWeight,
  channel_sum: elements((a) => Math.ceil(a.images / a.chunk) * a.channels),
  pool2d_forward: elements((a) => a.images * a.channels * a.outHeight * a.outWidth),
  pool2d_backward: elements((a) => a.images * a.channels * a.height * a.width),

  gammatone_envelope: elements((a) => a.rows * a.channels),

  stdp_depress: rows((a) => a.pre),
  stdp_potentiate: rows((a) => a.post),
  bcm_update: rows((a) => a.pre),
  incoming_normalise: rows((a) => a.post),

  neuron_step: (call, profile) => {
    const { model, count } = call.attributes;
    const WORDWISE = isWordwise(profile);
    const invocations = WORDWISE ? wordsPerRow(count) : count;
    const extras = () => ({ conditions: { WORDWISE } });
    return { ...elements(() => invocations, extras)(call, profile), model };
  },
  deliver_spikes: (call, profile) => {
    const words = wordsPerRow(call.attributes.sources);
    const WORDWISE = isWordwise(profile);
    const count = WORDWISE ? Math.ceil(words / 64) : Math.min(words, MAX_DELIVERING);
    const shader = variant(call, { constants: { WORKGROUP: 64 }, conditions: { WORDWISE } });
    return { ...shader, workgroups: fold(count, profile) };
  },
  inject_poisson: elements((a) => Math.ceil(a.count / 4)),
  replay_spikes: elements((a) => wordsPerRow(a.count)),

  sparse_linear_forward: elements((a) => a.active * a.rows * a.width),
  sparse_linear_backward: elements((a) => a.rows * a.width),
  event_scan_forward: shared((a) => a.rows / a.sequence),
  event_scan_backward: shared((a) => a.rows / a.sequence),
  route_forward: elements((a) => a.rows / a.sequence),
  running_mean_forward: elements((a) => a.rows / a.sequence),
  expert_load: rows((a) => a.experts),
  route_backward: elements((a) => a.rows / a.sequence),
  expert_mask_forward: elements((a) => a.active * a.rows * a.experts * a.rank),
  expert_mask_backward: elements((a) => a.rows * a.experts * a.rank),
  expert_means: elements((a) => a.width),
  hebbian_update: elements((a) => {
    const [experts, words] = weightShape(a);
    return experts * words;
  }),
  codebook_rows: elements((a) => a.rows * a.rank),
  candidate_join_forward: elements((a) => a.rows * (a.drawn + 1)),
  candidate_join_backward: elements((a) => a.rows * (a.drawn + a.rank)),
};

/** Workgroups among which deliver_spikes shares the words of spikes: more than any GPU runs at a time. */
const MAX_DELIVERING = 2048;

/** The shader and grid of a call on this device. */
export function bindCall(call: KernelCall, profile: DeviceProfile): Dispatch {
  if (isWritten(call.kernel)) return generatedDispatch(call, profile);
  const { name } = call.kernel;
  // The binder found under a kernel's name takes its calls; TypeScript loses the correlation.
  const own = (binders as Readonly<Record<string, Binder<object> | undefined>>)[name];
  return (own ?? regular)(call, profile);
}

interface Sizes {
  readonly count?: number;
  readonly rows?: number;
  readonly width?: number;
  readonly chunk?: number;
}

/** Partial sums have a line for each chunk of rows. */
const regular = elements(
  ({ count, rows: lines = 1, width = 1, chunk = 1 }: Sizes) =>
    count ?? Math.ceil(lines / chunk) * width,
);

interface Rows {
  readonly rows: number;
  readonly width: number;
}

/** Words that the packed spikes of a time step take. */
function spikeWords(a: Rows): number {
  return a.rows * wordsPerRow(a.width);
}

interface Heads {
  readonly heads: number;
  readonly headWidth: number;
}

function headQuads({ heads, headWidth }: Heads): number {
  return heads * Math.ceil(headWidth / 4);
}

/** Axes that are multiples of 4 where features and scores are read four at a time. */
const QUAD_AXES = /^(sequence|headWidth)$|(Stride|Offset)$/;

function hasQuads(attributes: object): boolean {
  const axes = Object.entries(attributes).filter(([name]) => QUAD_AXES.test(name));
  return axes.every(([, value]) => Number(value) % 4 === 0);
}

/** Workgroups whose invocations share the neurons of a sequence: few on processors, where each has its cost. */
function shared<A>(count: (a: A) => number): Binder<A> {
  return (call, profile) => {
    const LANES = profile.tiling === 'register' ? 32 : 256;
    return workgroups(count, () => ({ constants: { LANES } }))(call, profile);
  };
}

/** Whether an invocation does a word of neurons: on processors. */
function isWordwise({ tiling }: DeviceProfile): boolean {
  return tiling === 'register';
}
