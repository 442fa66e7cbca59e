import type { KernelCall, KernelName } from '../../graph/kernel-table.ts';
import { attentionBinders } from './attention-binders.ts';
import { cachedAttentionBinders } from './cached-attention-binders.ts';
import type { Bound, Site, WasmBinders } from './commands.ts';
import { chronospikeBinders } from './chronospike-binders.ts';
import { layerBinders } from './layer-binders.ts';
import { convolutionBinders } from './convolution-binders.ts';
import { distillationBinders } from './distillation-binders.ts';
import { encoderBinders } from './encoder-binders.ts';
import { epropBinders } from './eprop-binders.ts';
import { leakyBinders } from './leaky-binders.ts';
import { linearBinders } from './linear-binders.ts';
import { memoryBinders } from './memory-binders.ts';
import { neuronBinders } from './neuron-binders.ts';
import { recurrentBinders } from './recurrent-binders.ts';
import { plasticityBinders } from './plasticity-binders.ts';
import { nirBinders } from './nir-binders.ts';
import { rowBinders } from './row-binders.ts';
import { ruleBinders } from './rule-binders.ts';
import { sensesBinders } from './senses-binders.ts';
import { multimodalBinders } from './multimodal-binders.ts';
import { simulatorBinders } from './simulator-binders.ts';
import { sparseBinders } from './sparse-binders.ts';
import { trainingBinders } from './training-binders.ts';
import { transformerBinders } from './transformer-binders.ts';

/** How the WASM backend plays every kernel of the table. */
const binders: WasmBinders<KernelName> = {
  ...linearBinders,
  ...neuronBinders,
  ...memoryBinders,
  ...rowBinders,
  ...attentionBinders,
  ...trainingBinders,
  ...leakyBinders,
  ...transformerBinders,
  ...layerBinders,
  ...ruleBinders,
  ...plasticityBinders,
  ...epropBinders,
  ...simulatorBinders,
  ...convolutionBinders,
  ...recurrentBinders,
  ...encoderBinders,
  ...distillationBinders,
  ...nirBinders,
  ...sensesBinders,
  ...cachedAttentionBinders,
  ...sparseBinders,
  ...sensesBinders,
  ...multimodalBinders,
  ...chronospikeBinders,
};

/** The commands of a call. */
export function bindCall(call: KernelCall, site: Site): Bound {
  // The binder found under a call's kernel takes that very call; TypeScript loses the correlation.
  const binder = binders[call.kernel] as (call: KernelCall, site: Site) => Bound;
  return binder(call, site);
}
