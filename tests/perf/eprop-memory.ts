import { parseArgs } from 'node:util';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { parseNeuron } from '../../engine/neurons/equations.ts';
import { type EpropBatch, type EpropRun, openEprop } from '../../engine/plasticity/eprop/run.ts';
import type { EpropStructure } from '../../engine/plasticity/eprop/structure.ts';
import { keyOf, philox, uniformFrom } from '../../engine/random/philox.ts';
import { note } from './report.ts';

/**
 * e-prop learns to remember: one of two cues for 50 ms, a delay of 150 ms, then a recall signal, at which the
 * readout has to give the sign of the cue. Membranes forget in 20 ms; thresholds that adapt over
 * 200 ms do not (Bellec et al. 2020, figure 3). Prints the share of cues recalled with and without
 * adaptation, and with adaptation written as equations, on sequences that were not learned. Run by hand: `eprop-memory.ts [--batches 300]`.
 */
const { values } = parseArgs({
  options: { batches: { type: 'string', default: '300' }, seed: { type: 'string', default: '1' } },
});
const GROUP = 10;
const CUE_END = 50;
const RECALL = 200;
const plain: EpropStructure = {
  inputs: 4 * GROUP,
  neurons: 64,
  outputs: 1,
  steps: 250,
  batch: 16,
  dt: 1,
  tauMembrane: 20,
  tauReadout: 20,
  threshold: 0.6,
  surrogate: 'triangle',
  feedback: 'symmetric',
};
const adaptive: EpropStructure = { ...plain, adaptation: { tau: 200, gain: 0.1 } };
/** The adaptive neuron as a user would write it. */
const WRITTEN = `
  state v = 0, a = 0, s = 0
  tau = 20 ms;  tau_adaptation = 200 ms;  threshold = 0.6;  gain = 0.1
  v = exp(-dt / tau) * v + I - detach(s) * threshold
  a = exp(-dt / tau_adaptation) * a + s
  s = spike(v - (threshold + gain * a))`;
const written: EpropStructure = { ...plain, equations: parseNeuron(WRITTEN) };

const backend = await openWasmBackend({ threads: 1 });
for (const [name, structure] of Object.entries({
  LIF: plain,
  ALIF: adaptive,
  'ALIF as equations': written,
})) {
  const settings = { seed: Number(values.seed), learningRate: 0.003, clipNorm: 10 };
  const run = await openEprop(backend, structure, settings);
  const started = performance.now();
  for (let i = 0; i < Number(values.batches); i++) {
    const loss = await run.learn(drawBatch(structure, i).batch);
    if (i % 50 === 49) note(`e-prop memory, ${name}: ${i + 1} batches, loss ${loss.toFixed(4)}`);
  }
  const seconds = (performance.now() - started) / 1000;
  const recalled = await recall(run, structure);
  console.log(
    JSON.stringify({ name: `e-prop, cue recalled after 150 ms, ${name}`, recalled, seconds }),
  );
  run.close();
}
backend.close();

/** Sequences with cues drawn by chance, and the sign of each cue. */
function drawBatch({ steps, batch, inputs }: EpropStructure, number: number) {
  const words = Math.ceil(inputs / 32);
  const raster = new Uint32Array(steps * batch * words);
  const targets = new Float32Array(steps * batch);
  const uniform = (index: number, stream: number) =>
    uniformFrom(philox([index >>> 2, stream, number, 0], keyOf(7))[index & 3] ?? 0);
  const signs = Array.from({ length: batch }, (_, b) => (uniform(b, 0) < 0.5 ? -1 : 1));
  for (let t = 0; t < steps; t++) {
    for (const [b, sign] of signs.entries()) {
      const row = t * batch + b;
      if (t >= RECALL) targets[row] = sign;
      for (let i = 0; i < inputs; i++) {
        if (uniform(row * inputs + i, 1) >= probabilityOf(Math.floor(i / GROUP), t, sign)) continue;
        const word = row * words + (i >>> 5);
        raster[word] = (raster[word] ?? 0) | (1 << (i & 31));
      }
    }
  }
  const drawn: EpropBatch = { inputs: raster, targets };
  return { batch: drawn, signs };
}

/** Groups of inputs: one for each cue, one that asks, one of noise. */
function probabilityOf(group: number, t: number, sign: number): number {
  if (group === 0) return t < CUE_END && sign > 0 ? 0.1 : 0;
  if (group === 1) return t < CUE_END && sign < 0 ? 0.1 : 0;
  if (group === 2) return t >= RECALL ? 0.1 : 0;
  return 0.02;
}

/** Share of cues whose sign the readout gives at the end. */
async function recall(run: EpropRun, structure: EpropStructure): Promise<number> {
  let [right, all] = [0, 0];
  for (let i = 0; i < 10; i++) {
    const { batch, signs } = drawBatch(structure, 1_000_000 + i);
    await run.loss(batch);
    const readout = await run.readout();
    right += signs.filter((sign, b) => sign * (readout[b] ?? 0) > 0).length;
    all += signs.length;
  }
  return right / all;
}
