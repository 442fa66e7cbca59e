import type { AttributesOf, OneOf } from '../graph/kernel.ts';
import { attentionKernels, chunkKernels, embeddingKernels } from './attention.ts';
import { convolutionKernels } from './convolution.ts';
import { activationKernels, linearKernels, normKernels, shiftKernels } from './dense.ts';
import { encoderKernels } from './encoders.ts';
import { memoryKernels, randomKernels } from './memory.ts';
import { epropKernels } from './eprop.ts';
import { type LAYER_MODELS, neuronKernels } from './neurons.ts';
import { plasticityKernels } from './plasticity.ts';
import { relaxedKernels } from './relaxed.ts';
import { ruleKernels } from './rules.ts';
import { simulatorKernels } from './simulator.ts';
import { slopeKernels } from './slopes.ts';
import { sparseKernels } from './sparse.ts';
import { synchronyKernels } from './synchrony.ts';
import { lossKernels } from './losses.ts';
import { optimiserKernels, privacyKernels } from './parameter-updates.ts';
import { readoutKernels } from './readout.ts';

/**
 * Every kernel that a Program may call: the whole contract between the code that traces programs (`ops/`)
 * and the code that plays them (`backends/`). Each backend implements every row; bindings, shader
 * constants and WASM arguments follow from the row. The head of a kernel's shader says what it computes.
 */
export const kernels = {
  ...memoryKernels,
  ...randomKernels,
  ...embeddingKernels,
  ...linearKernels,
  ...activationKernels,
  ...slopeKernels,
  ...normKernels,
  ...shiftKernels,
  ...attentionKernels,
  ...chunkKernels,
  ...neuronKernels,
  ...ruleKernels,
  ...synchronyKernels,
  ...relaxedKernels,
  ...readoutKernels,
  ...lossKernels,
  ...optimiserKernels,
  ...privacyKernels,
  ...convolutionKernels,
  ...encoderKernels,
  ...plasticityKernels,
  ...epropKernels,
  ...simulatorKernels,
  ...sparseKernels,
};

export type KernelName = keyof typeof kernels;
type Kernels = typeof kernels;

/** Kernels that are written in the kernel language: backends make them from there. */
export type WrittenName = {
  [K in KernelName]: Kernels[K] extends { readonly write: unknown } ? K : never;
}[KernelName];

/** The attributes of a call of kernel `K`. */
export type Attributes<K extends KernelName> = AttributesOf<Kernels[K]['attributes']>;

/** The names of the operands of kernel `K`. */
export type OperandName<K extends KernelName> = Extract<keyof Kernels[K]['operands'], string>;

/** A neuron model of `neuron_*` with its constants. */
export type LayerModel = AttributesOf<{ readonly model: OneOf<typeof LAYER_MODELS> }>;

export type LayerModelName = LayerModel['model'];
