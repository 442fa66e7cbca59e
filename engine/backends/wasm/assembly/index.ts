/**
 * The kernels of the WASM backend. Each takes the address of its arguments, a range of items, and, if it needs
 * some, the scratch memory of the thread that calls it; any split of the items gives the same digits. The
 * build makes the class of the arguments from the kernel's row in engine/kernels: `inputAt` is the address of
 * the operand `input`, 0 where that is absent; attributes have their own names. `../arguments.ts` has what is
 * added to rows, and kernels that several of them share.
 */
export * from './attention';
export * from './attention-backward';
export * from './attention-step';
export * from './cached-attention';
export * from './candidates';
export * from './carried-attention';
export * from './convolution';
export * from './embedding';
export * from './energy';
export * from './event-mix';
export * from './event-scan';
export * from './gammatone';
export * from './homeostasis';
export * from './integer-lif';
export * from './integrate-fire';
export * from './linear';
export * from './loss';
export * from './masked-linear';
export * from './neurons';
export * from './plasticity';
export * from './pooling';
export * from './populations';
export * from './privacy';
export * from './random';
export * from './records';
export * from './recurrent';
export * from './relaxed';
export * from './routing';
export * from './running-mean';
export * from './slots';
export * from './softmax-attention';
export * from './sparse-linear';
export * from './spike-convolution';
export * from './spike-convolution-weight';
export * from './spike-linear';
export * from './spike-linear-int8';
export * from './stdp';
export * from './stimuli';
export * from './synapses';
export * from './transpose-bits';
