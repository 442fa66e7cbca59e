import { readFileSync, writeFileSync } from 'node:fs';
import { appendFunctions } from '../engine/backends/wasm/emit/append.ts';
import { emitKernel } from '../engine/backends/wasm/emit/emit-kernel.ts';
import type { FunctionCode } from '../engine/backends/wasm/emit/function-code.ts';
import { planBody } from '../engine/backends/wasm/emit/plan.ts';
import type { Kernel } from '../engine/graph/kernel.ts';
import { isWritten, variantsOf } from '../engine/kernel-language/written-kernel.ts';
import { kernels } from '../engine/kernels/kernels.ts';

/**
 * Appends the kernels that are written in the kernel language to a build of the others.
 *
 *   node tools/emit-kernels.ts FILE relaxed|plain all|inference
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
/** Of the other areas: kernels of plots, of imported networks, and of the way there of a gradient. */
const AT_HOME = new Set([
  'neuron_membrane',
  'evo_lif_membrane',
  'integrate_fire',
  'activation_with_slope',
]);

/**
 * Surrogates other than the first, and checkpoints, are rarely chosen: their kernels are emitted where they
 * are called.
 */
const builtIn = (choice: string, values: readonly (string | boolean)[]) =>
  choice === 'surrogate' || choice === 'checkpoints' ? values.slice(0, 1) : values;

const functions = new Map<string, FunctionCode>();
for (const kernel of Object.values(kernels)) {
  if (!isWritten(kernel) || (extent === 'inference' && !isOfInference(kernel))) continue;
  for (const { name, body, attributes } of variantsOf(kernel, builtIn)) {
    const taken = { operands: kernel.operands, attributes };
    functions.set(name, emitKernel(planBody(body), taken, kind === 'relaxed'));
  }
}
writeFileSync(file, appendFunctions(readFileSync(file), functions));

function isOfInference({ area, name }: Kernel): boolean {
  return !NOT_AT_THE_EDGE.has(area) && !AT_HOME.has(name) && !name.includes('_backward');
}
