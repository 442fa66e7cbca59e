// One training step of the float transformer of bars 7 and 8 with @tensorflow/tfjs. Argument: webgpu or
// wasm.
import { drawBatch, oneHot, sizes } from '../transformer-task.ts';
import { openTensorflow } from './open-tensorflow.mjs';
import { serve } from './serve.mjs';

const { batch, sequence, width, blocks, heads, vocabulary } = sizes;
const rows = batch * sequence;
const headWidth = width / heads;

serve(async () => {
  const tf = await openTensorflow(process.argv[2]);
  const parameters = initialParameters(tf);
  const lossOf = createLoss(tf, parameters);
  const optimiser = tf.train.adam(1e-3, 0.9, 0.95);
  return async () => {
    const { ids, targets } = drawBatch();
    const [x, y] = [oneHot(ids), oneHot(targets)];
    const start = performance.now();
    const loss = tf.tidy(() => {
      const inputs = tf.tensor2d(x, [rows, vocabulary]);
      const wanted = tf.tensor2d(y, [rows, vocabulary]);
      return optimiser.minimize(() => lossOf(inputs, wanted), true);
    });
    const [value] = await loss.data();
    const ms = performance.now() - start;
    loss.dispose();
    return { ms, loss: value };
  };
});

function initialParameters(tf) {
  const normal = (shape) => tf.variable(tf.randomNormal(shape, 0, 0.02));
  const ones = (shape) => tf.variable(tf.ones(shape));
  const zeros = (shape) => tf.variable(tf.zeros(shape));
  return {
    embed: normal([vocabulary, width]),
    position: normal([sequence, width]),
    gain: ones([width]),
    readout: normal([width, vocabulary]),
    blocks: Array.from({ length: blocks }, () => ({
      gain1: ones([width]),
      query: normal([width, width]),
      key: normal([width, width]),
      value: normal([width, width]),
      out: normal([width, width]),
      gain2: ones([width]),
      up: normal([width, 4 * width]),
      upBias: zeros([4 * width]),
      down: normal([4 * width, width]),
      downBias: zeros([width]),
    })),
  };
}

function createLoss(tf, parameters) {
  const future = Float32Array.from({ length: sequence ** 2 }, (_, i) =>
    i % sequence > Math.floor(i / sequence) ? -1e9 : 0,
  );
  const mask = tf.tensor(future, [1, 1, sequence, sequence]);
  const norm = (x, gain) => {
    const { mean, variance } = tf.moments(x, -1, true);
    return x.sub(mean).mul(variance.add(1e-5).rsqrt()).mul(gain);
  };
  const gelu = (x) =>
    x.mul(0.5).mul(x.add(x.square().mul(x).mul(0.044715)).mul(0.7978845608).tanh().add(1));
  const split = (x) => x.reshape([batch, sequence, heads, headWidth]).transpose([0, 2, 1, 3]);
  const attention = (x, { query, key, value }) => {
    const products = tf.matMul(split(x.matMul(query)), split(x.matMul(key)), false, true);
    const weights = tf.softmax(products.mul(headWidth ** -0.5).add(mask));
    const mixed = tf.matMul(weights, split(x.matMul(value)));
    return mixed.transpose([0, 2, 1, 3]).reshape([rows, width]);
  };
  return (x, y) => {
    const tokens = tf.matMul(x, parameters.embed).reshape([batch, sequence, width]);
    let stream = tokens.add(parameters.position).reshape([rows, width]);
    for (const block of parameters.blocks) {
      stream = stream.add(attention(norm(stream, block.gain1), block).matMul(block.out));
      const up = gelu(norm(stream, block.gain2).matMul(block.up).add(block.upBias));
      stream = stream.add(up.matMul(block.down).add(block.downBias));
    }
    const logits = norm(stream, parameters.gain).matMul(parameters.readout);
    return tf.losses.softmaxCrossEntropy(y, logits);
  };
}
