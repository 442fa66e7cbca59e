import type { KernelName } from '../../../engine/kernels/kernels.ts';
import { randomSource } from '../random.ts';
import { attentionCases } from './attention.ts';
import { cachedAttentionCases } from './cached-attention.ts';
import { chronospikeCases } from './chronospike.ts';
import { convolutionCases } from './convolution.ts';
import { distillationCases } from './distillation.ts';
import { embeddingCases } from './embedding.ts';
import { layerCases } from './layers.ts';
import { encoderCases } from './encoders.ts';
import { epropCases } from './eprop.ts';
import { linearCases } from './linear.ts';
import { lossCases } from './loss.ts';
import { memoryCases } from './memory.ts';
import { neuronCases } from './neurons.ts';
import { nirCases } from './nir.ts';
import { normCases } from './norm.ts';
import type { Case, CaseMaker, CaseMakers } from './operands.ts';
import { optimiserCases } from './optimiser.ts';
import { plasticityCases } from './plasticity.ts';
import { randomCases } from './random.ts';
import { readoutCases } from './readout.ts';
import { ruleCases } from './rules.ts';
import { recurrentCases } from './recurrent.ts';
import { multimodalCases } from './multimodal.ts';
import { shiftCases } from './shift.ts';
import { simulatorCases } from './simulator.ts';
import { sparseCases } from './sparse.ts';
import { transformerCases } from './transformer.ts';

/** Every kernel of the table has its cases: one that is missing does not compile. */
const kernelCases: CaseMakers = {
  ...memoryCases,
  ...embeddingCases,
  ...linearCases,
  ...neuronCases,
  ...normCases,
  ...shiftCases,
  ...attentionCases,
  ...transformerCases,
  ...readoutCases,
  ...lossCases,
  ...optimiserCases,
  ...randomCases,
  ...layerCases,
  ...ruleCases,
  ...plasticityCases,
  ...epropCases,
  ...simulatorCases,
  ...convolutionCases,
  ...recurrentCases,
  ...encoderCases,
  ...distillationCases,
  ...nirCases,
  ...cachedAttentionCases,
  ...sparseCases,
  ...multimodalCases,
  ...chronospikeCases,
};

// Object.keys loses the type of the keys.
export const kernelNames = Object.keys(kernelCases) as KernelName[];

/** The cases of a kernel at a size, from a seed of their own. */
export function casesOf(kernel: KernelName, size: number): Case<KernelName>[] {
  // Each maker makes cases of its own kernel; TypeScript cannot see that they are all cases.
  const make = kernelCases[kernel] as unknown as CaseMaker<KernelName>;
  return make(size, randomSource(size + 1));
}
