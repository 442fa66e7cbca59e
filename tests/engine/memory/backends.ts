/** One of each kind: kernels are held on every variant by tests of their own. */
export const backends = [
  'webgpu, register tiles',
  'wasm, relaxed, 2 threads',
  'wasm, plain, 1 thread',
] as const;
