/** The kernels that networks of layers call, which the package fetches first: the rest come with the whole build. */
export * from './convolution';
export * from './linear';
export * from './loss';
export * from './masked-linear';
export * from './pooling';
export * from './random';
export * from './recurrent';
export * from './spike-convolution';
export * from './spike-convolution-weight';
export * from './spike-linear';
export * from './transpose-bits';
