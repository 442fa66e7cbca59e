// One training step of the float transformer of bars 7 and 8 with @jax-js/jax, the whole step under one
// jit. Argument: webgpu or wasm.
import { defaultDevice, init, jit, nn, numpy as np, random, tree, valueAndGrad } from '@jax-js/jax';
import { drawBatch, oneHot, sizes } from '../transformer-task.ts';
import { provideGpu, serve } from './serve.mjs';

const { batch, sequence, width, blocks, heads, vocabulary } = sizes;
const rows = batch * sequence;
const [beta1, beta2, rate] = [0.9, 0.95, 1e-3];

serve(async () => {
  const [, , device] = process.argv;
  if (device === 'webgpu') await provideGpu();
  const devices = await init(device);
  if (!devices.includes(device)) throw new Error(`jax-js offers ${devices}, not ${device}`);
  defaultDevice(device);
  const step = jit(trainStep);
  const first = initialParameters();
  const zeros = () => tree.map((a) => np.zerosLike(a), tree.ref(first));
  let state = { momentum: zeros(), variance: zeros(), parameters: first };
  return async () => {
    const { ids, targets } = drawBatch();
    const [x, y] = [oneHot(ids), oneHot(targets)];
    const start = performance.now();
    const shape = [rows, vocabulary];
    const [next, loss] = step(state, np.array(x).reshape(shape), np.array(y).reshape(shape));
    state = next;
    const [value] = await loss.data();
    return { ms: performance.now() - start, loss: value };
  };
});

function initialParameters() {
  let seed = 0;
  const normal = (shape) => random.normal(random.key(seed++), shape).mul(0.02);
  return {
    embed: normal([vocabulary, width]),
    position: normal([sequence, width]),
    gain: np.ones([width]),
    readout: normal([width, vocabulary]),
    blocks: Array.from({ length: blocks }, () => ({
      gain1: np.ones([width]),
      query: normal([width, width]),
      key: normal([width, width]),
      value: normal([width, width]),
      out: normal([width, width]),
      gain2: np.ones([width]),
      up: normal([width, 4 * width]),
      upBias: np.zeros([4 * width]),
      down: normal([4 * width, width]),
      downBias: np.zeros([width]),
    })),
  };
}

function lossOf(parameters, x, y) {
  const split = [batch, sequence, heads, width / heads];
  let stream = np
    .dot(x, parameters.embed)
    .reshape([batch, sequence, width])
    .add(parameters.position)
    .reshape([rows, width]);
  for (const block of parameters.blocks) {
    const a = nn.standardize(stream.ref, -1).mul(block.gain1);
    const query = np.dot(a.ref, block.query).reshape(split);
    const key = np.dot(a.ref, block.key).reshape(split);
    const value = np.dot(a, block.value).reshape(split);
    const attended = nn.dotProductAttention(query, key, value, { isCausal: true });
    stream = stream.add(np.dot(attended.reshape([rows, width]), block.out));
    const b = nn.standardize(stream.ref, -1).mul(block.gain2);
    const up = nn.gelu(np.dot(b, block.up).add(block.upBias));
    stream = stream.add(np.dot(up, block.down).add(block.downBias));
  }
  const logits = np.dot(nn.standardize(stream, -1).mul(parameters.gain), parameters.readout);
  return nn
    .logSoftmax(logits, -1)
    .mul(y)
    .sum()
    .mul(-1 / rows);
}

function trainStep({ parameters, momentum, variance }, x, y) {
  const [loss, gradient] = valueAndGrad(lossOf)(tree.ref(parameters), x, y);
  const nextMomentum = tree.map(
    (m, g) => m.mul(beta1).add(g.mul(1 - beta1)),
    momentum,
    tree.ref(gradient),
  );
  const nextVariance = tree.map(
    (v, g) => v.mul(beta2).add(np.square(g).mul(1 - beta2)),
    variance,
    gradient,
  );
  const nextParameters = tree.map(
    (p, m, v) => p.sub(m.div(np.sqrt(v).add(1e-8)).mul(rate)),
    parameters,
    tree.ref(nextMomentum),
    tree.ref(nextVariance),
  );
  const next = { parameters: nextParameters, momentum: nextMomentum, variance: nextVariance };
  return [next, loss];
}
