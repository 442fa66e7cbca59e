// A product of two square matrices with @tensorflow/tfjs on WebGPU. Argument: rows of a matrix.
import { openTensorflow } from './open-tensorflow.mjs';
import { serve } from './serve.mjs';

serve(async () => {
  const size = Number(process.argv[2]);
  const tf = await openTensorflow('webgpu');
  const left = tf.randomUniform([size, size]);
  const right = tf.randomUniform([size, size]);
  await left.data();
  await right.data();
  const backend = tf.backend();
  return async () => {
    const start = performance.now();
    const product = tf.matMul(left, right);
    // The product alone, without reading it back.
    backend.endComputePassEncoder();
    backend.submitQueue();
    await backend.device.queue.onSubmittedWorkDone();
    const ms = performance.now() - start;
    product.dispose();
    return { ms };
  };
});
