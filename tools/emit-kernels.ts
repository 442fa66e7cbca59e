import { readFileSync, writeFileSync } from 'node:fs';
import { appendFunctions } from '../engine/backends/wasm/emit/append.ts';
import { missingFrom } from '../engine/backends/wasm/generated.ts';
import { emitKernel } from '../engine/backends/wasm/emit/emit-kernel.ts';
import type { FunctionCode } from '../engine/backends/wasm/emit/function-code.ts';
import { planBody } from '../engine/backends/wasm/emit/plan.ts';
import type { Kernel } from '../engine/graph/kernel.ts';
import type { Program } from '../engine/graph/program.ts';
import { isWritten, type Variant, variantsOf } from '../engine/kernel-language/written-kernel.ts';
import { kernels } from '../engine/kernels/kernels.ts';
import { linear } from '../engine/layers/dense.ts';
import { lif } from '../engine/layers/lif.ts';
import { sequential } from '../engine/layers/network.ts';
import { traceJudging, traceTraining } from '../engine/layers/training-programs.ts';
import { crossEntropyLoss, perStepLoss } from '../engine/losses/cross-entropy.ts';
import { adamW } from '../engine/optimizers/descent.ts';
import { shrinkModule } from './shrink-kernels.ts';

/**
 * Appends the kernels that are written in the kernel language to a build of the others; of one for inference
 * alone, it then removes what inference does not call.
 *
 *   node tools/emit-kernels.ts FILE relaxed|plain all|inference|classifier
 */
const [file = '', kind, extent] = process.argv.slice(2);

/** Areas of kernels that nothing at the edge calls: it neither trains nor simulates. */
const NOT_AT_THE_EDGE = new Set([
  'plasticity',
  'eprop',
  'optimiser',
  'privacy',
  'loss',
  'relaxed',
  'random',
  'simulator',
]);
/** Of these areas: by them the associative memory of the edge learns, and numbers become spikes. */
const AT_THE_EDGE = new Set(['stdp_depress', 'random_spikes']);
/** Of the other areas: kernels of plots, of imported networks, and of learning. */
const AT_HOME = new Set([
  'neuron_membrane',
  'evo_lif_membrane',
  'integrate_fire',
  'activation_with_slope',
  'reward_signal',
  'reward_decay',
  'mask_gradient',
  'draw_candidates',
  'delay_features',
  'delay_steps',
  'expert_load',
  'hebbian_update',
  'synchrony_forward',
]);

/**
 * Surrogates other than the first, and checkpoints, are rarely chosen: their kernels are emitted where they
 * are called.
 */
const builtIn = (choice: string, values: readonly (string | boolean)[]) =>
  choice === 'surrogate' || choice === 'checkpoints' ? values.slice(0, 1) : values;

const functions = new Map<string, FunctionCode>();
const add = ({ name, body, attributes }: Variant, { operands }: Pick<Kernel, 'operands'>) =>
  functions.set(name, emitKernel(planBody(body), { operands, attributes }, kind === 'relaxed'));
if (extent === 'classifier') {
  for (const { variant, operands } of missingFrom(classifierPrograms(), new Set())) {
    add(variant, { operands });
  }
} else {
  for (const kernel of Object.values(kernels)) {
    if (!isWritten(kernel) || (extent === 'inference' && !isOfInference(kernel))) continue;
    for (const variant of variantsOf(kernel, builtIn)) add(variant, kernel);
  }
}
const whole = appendFunctions(readFileSync(file), functions);
writeFileSync(file, extent === 'inference' ? shrinkModule(whole, isCalledAtTheEdge) : whole);

/** A function belongs to the row that its name begins with; one of none backward, or a step of a simulator's neuron. */
function isCalledAtTheEdge(name: string): boolean {
  const [kernel] = Object.values(kernels)
    .filter((row) => `${name}_`.replace('.', '_').startsWith(`${row.name}_`))
    .toSorted((a, b) => b.name.length - a.name.length);
  return kernel ? isOfInference(kernel) : !/_backward|_step$/.test(name);
}

function isOfInference({ area, name }: Kernel): boolean {
  if (AT_THE_EDGE.has(name)) return true;
  return !NOT_AT_THE_EDGE.has(area) && !AT_HOME.has(name) && !name.includes('_backward');
}

/** Programs of a classifier of spiking layers as most begin with, which needs no emitter where these are built in. */
function classifierPrograms(): readonly Program[] {
  const neuron = { beta: 0.9 };
  const network = sequential([linear(8), lif(neuron), linear(4), lif(neuron)], {
    input: 8,
    steps: 2,
  });
  const form = { frames: 1, dtype: 'f32' } as const;
  const run = { rows: 2, segments: 1 };
  return [crossEntropyLoss(), perStepLoss()].flatMap((loss) => [
    ...traceTraining(network, form, { ...run, loss, optimizer: adamW(5e-4) }).programs,
    ...traceJudging(network, form, { ...run, loss: undefined, on: undefined }).programs,
  ]);
}
