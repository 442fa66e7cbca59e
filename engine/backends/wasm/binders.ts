import type { KernelCall } from '../../graph/kernel.ts';
import { wordsPerRow } from '../../graph/tensor.ts';
import type { Attributes, KernelName, WrittenName } from '../../kernels/kernels.ts';
import { attentionBinders } from './attention.ts';
import { valuesOf } from './arguments.ts';
import { type Binder, type Bound, oneByOne, over, type Site } from './commands.ts';
import { convolutionBinders } from './convolution.ts';
import { isWritten } from '../../kernel-language/written-kernel.ts';
import { bindWritten } from './generated.ts';
import { hostedStep } from './hosted-step.ts';
import { linearBinders } from './linear.ts';
import { neuronBinders, spikeWords } from './neurons.ts';
import {
  BLOCK,
  DENSE_SOURCES,
  GROUP,
  LANES,
  MEANS_COLUMNS,
  SCAN_SEQUENCES,
  SPARSE_ROWS,
  SYNAPSE_BLOCK,
} from './sizes.ts';

/** Kernels whose items follow from their attributes: blocks of `count` elements, chunks of rows, or rows. */
type Regular = {
  [K in KernelName]: Attributes<K> extends { readonly count: number } | { readonly rows: number }
    ? K
    : never;
}[Exclude<KernelName, WrittenName>];

type Binders = {
  readonly [K in Exclude<KernelName, Regular | WrittenName>]: Binder<Attributes<K>>;
} & { readonly [K in Regular]?: Binder<Attributes<K>> };

const once = { grain: oneByOne };

/** The items and arguments that do not follow from a kernel's row. */
const binders: Binders = {
  ...attentionBinders,
  ...convolutionBinders,
  ...linearBinders,
  ...neuronBinders,

  delay_features: over((a) => Math.ceil((a.rows * a.width) / BLOCK), { grain: 4 }),
  random_spikes: over(spikeWords),
  token_chain: over(() => 1, {
    ...once,
    added: (a, { shared }) => ({ tableAt: shared, tableBits: tableBits(a) }),
    before: ({ attributes }) => ({ commands: [], sharedBytes: 4 * 2 ** tableBits(attributes) }),
  }),
  embedding_backward: over((a) => Math.ceil(a.width / GROUP)),

  gammatone_envelope: over((a) => a.rows * Math.ceil(a.channels / LANES)),

  stdp_depress: over((a) => wordsPerRow(a.pre)),
  stdp_potentiate: (call, site) =>
    (call.operands['columnStart'] ? potentiate : potentiateDense)(call, site),
  bcm_update: over((a) => wordsPerRow(a.pre)),
  incoming_normalise: (call, site) =>
    (call.operands['columnStart'] ? normalise : normaliseDense)(call, site),

  neuron_step: (call, site) => {
    const { model, count } = call.attributes;
    if (model.wgsl !== undefined || model.written) {
      const hosted = hostedStep(valuesOf(call, site), call.attributes);
      return { commands: [{ kernel: '', items: 1, grain: 1, args: [], hosted }] };
    }
    // 64 words of spikes are 2000 neurons: fewer are not worth another thread's attention.
    const kernel = `${model.name}_step`;
    return over(() => wordsPerRow(count), { kernel, grain: 64 })(call, site);
  },
  deliver_spikes: over(deliveryParts, {
    ...once,
    added: (a, site) => ({ parts: deliveryParts(a, site) }),
  }),
  replay_spikes: over(() => 1, once),

  sparse_linear_forward: over((a) => a.active * a.rows, {
    scratch: ({ width }) => wrappedBytes(width) + 4 * SYNAPSE_BLOCK,
  }),
  sparse_linear_backward: over((a) => Math.ceil(a.rows / SPARSE_ROWS), {
    scratch: ({ width }) => SPARSE_ROWS * wrappedBytes(width),
  }),
  event_scan_forward: over((a) => a.rows / a.sequence, {
    ...once,
    // Of each expert a mask and twice as much for membranes, and one mask more.
    scratch: (a) => SYNAPSE_BLOCK * (Math.ceil(a.width / SYNAPSE_BLOCK) + 1) * (3 * a.experts + 1),
  }),
  event_scan_backward: over((a) => Math.ceil(a.rows / a.sequence / SCAN_SEQUENCES), {
    ...once,
    scratch: (a) => SCAN_SEQUENCES * a.experts * wrappedBytes(a.width),
  }),
  expert_means: over((a) => Math.ceil(a.width / MEANS_COLUMNS), {
    scratch: (a) => a.experts * 4 * (8 + 3 * MEANS_COLUMNS),
  }),
  hebbian_update: over((a) => a.experts * Math.ceil(a.width / SYNAPSE_BLOCK)),
  route_forward: over((a) => a.rows / a.sequence),
  running_mean_forward: over((a) => a.rows / a.sequence),
  expert_load: over(() => 1, once),
  route_backward: over((a) => a.rows / a.sequence, {
    scratch: (a) => 4 * 4 * a.experts,
  }),
  expert_mask_forward: over((a) => a.active * a.rows),
};

/** The commands of a call. */
export function bindCall(call: KernelCall, site: Site): Bound {
  if (isWritten(call.kernel)) return bindWritten(call, site);
  // The binder found under a kernel's name takes its calls; TypeScript loses the correlation.
  const table = binders as Readonly<Record<string, Binder<object> | undefined>>;
  return (table[call.kernel.name] ?? regularBinder(call.attributes))(call, site);
}

function regularBinder({ count, rows, width, chunk }: KernelCall['attributes']): Binder<object> {
  if (typeof count === 'number') return over(() => Math.ceil(count / BLOCK), { grain: 4 });
  const chunks = typeof chunk === 'number' ? Math.ceil(Number(rows) / chunk) : undefined;
  return over(() => (chunks ? chunks * Math.ceil(Number(width) / GROUP) : Number(rows)));
}

/** At most half of the slots of the table of tokens are taken. */
function tableBits({ rows }: { readonly rows: number }): number {
  return Math.ceil(Math.log2(2 * rows));
}

/** Bytes of a row of floats with room for 16 more. */
function wrappedBytes(width: number): number {
  return 4 * (width + SYNAPSE_BLOCK);
}

type Stdp = Attributes<'stdp_potentiate'>;

const potentiate = over<Stdp>((a) => wordsPerRow(a.post));

const potentiateDense = over<Stdp>((a) => Math.ceil(a.pre / DENSE_SOURCES), {
  kernel: 'stdp_potentiate_dense',
  scratch: ({ post }) => 8 * post,
});

type Normalise = Attributes<'incoming_normalise'>;

const normalise = over<Normalise>((a) => a.post);

const normaliseDense = over<Normalise>((a) => Math.ceil(a.post / LANES), {
  kernel: 'incoming_normalise_dense',
});

/** Two parts of the targets for each thread, where there are several, as some hold more synapses. */
function deliveryParts({ targets }: { readonly targets: number }, { threads }: Site): number {
  return threads === 1 ? 1 : Math.min(2 * threads, targets);
}
