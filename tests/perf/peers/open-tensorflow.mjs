import { createRequire } from 'node:module';
import { provideGpu } from './serve.mjs';

/**
 * TensorFlow.js on a backend. Its packages are CommonJS and register themselves when they are loaded.
 * @param {string | undefined} backend webgpu or wasm
 */
export async function openTensorflow(backend) {
  if (backend === 'webgpu') await provideGpu();
  const require = createRequire(import.meta.url);
  const tf = require('@tensorflow/tfjs');
  require(`@tensorflow/tfjs-backend-${backend}`);
  if (!(await tf.setBackend(backend))) throw new Error(`tfjs has no backend ${backend} here`);
  await tf.ready();
  return tf;
}
