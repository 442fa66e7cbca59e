import type { Surrogate } from '../../engine/kernels/neurons.ts';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import { traceTraining } from '../../engine/models/dense-chronospike/programs.ts';
import {
  chronospikeParameters,
  defaultNeuron,
  geometricTau,
} from '../../engine/models/dense-chronospike/structure.ts';
import { packClock, packRates } from '../../engine/ops/step-inputs.ts';
import { stableBaseline } from '../../engine/settings/controls.ts';
import { initialValues } from '../../engine/train/initial-values.ts';
import { note, report } from './report.ts';
import { timeOf, type Timing } from './timing.ts';

/**
 * Bar 4: one training step of dense_chronospike, forward to optimiser, with a surrogate that has a slope
 * everywhere (atan) and one that has it near the threshold only (triangle).
 */
const THREADS = 2;
const shape = { batch: 16, sequence: 64 };
const sizes = { vocabulary: 96, width: 128, heads: 4, blocks: 4, steps: 4 };
/** Milliseconds of PyTorch with a hand-fused LIF on this kind of machine, where it cannot be measured. */
const FUSED_PYTORCH_MS = 175;
const SHARE = { atan: 0.75, triangle: 0.45 } as const;

const fused = measurePyTorch();
for (const surrogate of ['atan', 'triangle'] as const) {
  const { median, best } = await measure(surrogate);
  note(`${surrogate}: median ${median.toFixed(1)} ms, best group ${best.toFixed(1)} ms`);
  report({
    bar: 4,
    name: `dense_chronospike training step, ${surrogate}, WASM, ${THREADS} threads`,
    value: median,
    unit: 'ms',
    target: SHARE[surrogate] * (fused ?? FUSED_PYTORCH_MS),
    better: 'lower',
    ...(fused !== undefined && { peers: { 'PyTorch, hand-fused': fused } }),
  });
}
// The threads would keep the process.
process.exit(0);

async function measure(surrogate: Surrogate): Promise<Timing> {
  const neuron = { ...defaultNeuron, surrogate };
  const structure = { ...sizes, ...neuron, tau: geometricTau(sizes.heads, shape.sequence) };
  const layout = layOutParameters(chronospikeParameters(structure));
  const train = traceTraining(layout, structure, shape, stableBaseline);
  const backend = await openWasmBackend({ threads: THREADS });
  const player = await backend.load(layout, [train.program]);
  for (const parameter of layout.parameters) {
    player.write(parameter.value, initialValues(parameter, 1));
  }
  const count = shape.batch * shape.sequence;
  const ids = Uint32Array.from({ length: count + 1 }, (_, i) => (i * 7919) % sizes.vocabulary);
  player.write(train.ids, ids.subarray(0, count));
  player.write(train.targets, ids.subarray(1));
  let step = 0;
  const timing = timeOf(() => {
    player.write(train.clock, packClock({ step, slot: step, seed: [1, 1] }));
    const corrections = [1 - 0.9 ** (step + 1), 1 - 0.95 ** (step + 1)] as const;
    const rates = { learningRate: 1e-4, weightDecay: 0.1, clipNorm: 1, corrections };
    player.write(train.rates, packRates(rates));
    player.play(train.program);
    step++;
  });
  player.close();
  return timing;
}

/** The reference in PyTorch on as many threads; undefined where it cannot run. */
function measurePyTorch(): number | undefined {
  const shared = fileURLToPath(new URL('../../../shared/reference/', import.meta.url));
  const program = join(process.env['SPIKEGRID_REFERENCE'] ?? shared, 'chronospike.py');
  if (!existsSync(program)) {
    note('PyTorch is absent: SPIKEGRID_REFERENCE does not lead to chronospike.py');
    return undefined;
  }
  const argv = [program, '--time', '--lif', 'fused', '--threads', String(THREADS)];
  const { status, stdout } = spawnSync('python3', argv, { encoding: 'utf8' });
  if (status === 0) return (JSON.parse(stdout) as { ms_per_step: number }).ms_per_step;
  note('PyTorch is absent: python3 cannot import torch');
  return undefined;
}
