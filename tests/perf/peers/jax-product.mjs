// A product of two square matrices with @jax-js/jax on WebGPU. Argument: rows of a matrix.
import { blockUntilReady, defaultDevice, init, numpy as np, random } from '@jax-js/jax';
import { provideGpu, serve } from './serve.mjs';

serve(async () => {
  const size = Number(process.argv[2]);
  await provideGpu();
  const devices = await init('webgpu');
  if (!devices.includes('webgpu')) throw new Error(`jax-js offers ${devices}, not webgpu`);
  defaultDevice('webgpu');
  const left = random.uniform(random.key(0), [size, size]);
  const right = random.uniform(random.key(1), [size, size]);
  await blockUntilReady([left, right]);
  return async () => {
    const start = performance.now();
    const product = np.matmul(left.ref, right.ref);
    await product.blockUntilReady();
    const ms = performance.now() - start;
    product.dispose();
    return { ms };
  };
});
