import { openNodeGpu } from '../../compute/gpu/node-gpu.ts';
import type { Backend } from '../../engine/graph/backend.ts';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { openWebGpuBackend } from '../../engine/backends/webgpu/webgpu-backend.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import { transformerParameters } from '../../engine/models/standard-transformer/structure.ts';
import { traceTransformerTraining } from '../../engine/models/standard-transformer/programs.ts';
import { packClock, packRates } from '../../engine/ops/step-inputs.ts';
import { initialValues } from '../../engine/train/initial-values.ts';
import { startPeers } from './peers.ts';
import { note, report } from './report.ts';
import { type Contestant, playRounds, type RoundOptions } from './rounds.ts';
import { drawBatch, sizes } from './transformer-task.ts';
import { isWanted } from './wanted.ts';

/**
 * Bars 7 and 8: one training step of a float transformer, from a batch in host memory to the loss in
 * host memory. Ours has offsets in its norms, a bias in its readout and clips the gradient on top of
 * what the peers do.
 */
const THREADS = 2;
const SLOW_MS = 10_000;
const optimiser = { beta1: 0.9, beta2: 0.95, epsilon: 1e-8 };

if (isWanted(7)) {
  const backend = await openWebGpuBackend({ gpu: await openNodeGpu() });
  const name = `float transformer step, ${backend.device.label}`;
  const options = { rounds: 3, turns: 4, slowMs: SLOW_MS };
  await measure({ bar: 7, name, target: 1500 }, backend, 'webgpu', options);
}
if (isWanted(8)) {
  const backend = await openWasmBackend({ threads: THREADS });
  const name = `float transformer step, ${backend.device.label}`;
  const options = { rounds: 7, turns: 5, slowMs: SLOW_MS };
  await measure({ bar: 8, name, target: 80 }, backend, 'wasm', options);
}
// Threads and Dawn would keep the process.
process.exit(0);

async function measure(
  bar: { readonly bar: number; readonly name: string; readonly target: number },
  backend: Backend,
  device: 'webgpu' | 'wasm',
  options: RoundOptions,
): Promise<void> {
  const ours = await openStep(backend);
  const peers = await startPeers([
    { name: `jax-js ${device}`, program: 'jax-transformer', args: [device] },
    { name: `tfjs ${device}`, program: 'tfjs-transformer', args: [device] },
  ]);
  const { [ours.name]: value = Number.NaN, ...others } = await playRounds(ours, peers, options);
  report({ ...bar, value, unit: 'ms', better: 'lower', peers: others });
  for (const peer of peers) peer.close();
}

/** Our step on a backend, warm. */
async function openStep(backend: Backend): Promise<Contestant> {
  const structure = sizes;
  const layout = layOutParameters(transformerParameters(structure));
  const traced = traceTransformerTraining(layout, structure, sizes.batch, optimiser);
  const player = await backend.load(layout, [traced.program]);
  for (const parameter of layout.parameters) {
    player.write(parameter.value, initialValues(parameter, 1));
  }
  let step = 0;
  const work = async () => {
    const { ids, targets } = drawBatch();
    const start = performance.now();
    step += 1;
    player.write(traced.ids, ids);
    player.write(traced.targets, targets);
    player.write(traced.clock, packClock({ step, slot: 0, seed: [1, 0] }));
    player.write(traced.rates, ratesAt(step));
    player.play(traced.program);
    const [loss = Number.NaN] = await player.read(traced.losses);
    return { ms: performance.now() - start, loss };
  };
  const first = await work();
  note(`ours: first step ${first.ms.toFixed(0)} ms, loss ${first.loss.toFixed(3)}`);
  return { name: 'ours', work };
}

function ratesAt(step: number): Float32Array {
  const { beta1, beta2 } = optimiser;
  return packRates({
    learningRate: 1e-3,
    weightDecay: 0,
    clipNorm: 1,
    corrections: [1 - beta1 ** step, 1 - beta2 ** step],
  });
}
