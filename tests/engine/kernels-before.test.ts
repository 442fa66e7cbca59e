import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import type { KernelName } from '../../engine/kernels/kernels.ts';
import { casesOf, kernelNames } from './kernel-cases/kernel-cases.ts';
import './matchers.ts';
import { reference, runKernels, wasmVariants, type Written } from './play.ts';

/**
 * Results of each kernel when it was written by hand, in three languages: `digest` of all bits of plain WASM,
 * and every so often a value in float64, rounded to float32.
 */
interface Stored {
  readonly size: number;
  readonly case: number;
  readonly outputs: Readonly<Record<string, { readonly digest: string; readonly values: string }>>;
}

const SAMPLES = 32;
/** Relative to 1 + magnitude; the samples are float32. */
const TOLERANCE = 1e-6;

/**
 * Kernels whose bits in plain WASM are others than before, as their sums are added up in another order or their
 * functions approximated in another way, with their largest distance from float64, relative to 1 + magnitude.
 */
const OTHER_BITS: Readonly<Partial<Record<KernelName, number>>> = {
  activation_backward: 1e-7,
  activation_forward: 1e-7,
  causal_softmax_backward: 2e-7,
  cross_entropy_backward: 1e-7,
  cross_entropy_forward: 2e-7,
  distillation_backward: 1e-7,
  distillation_forward: 1e-7,
  event_mix_backward: 1e-7,
  integrate_fire: 2e-7,
  layer_norm_backward_input: 1e-7,
  mean_field: 1e-7,
  mean_steps_backward: 1e-7,
  mean_steps_forward: 1e-7,
  neuron_backward: 2e-5,
  neuron_membrane: 2e-7,
  relaxed_lif_backward: 5e-6,
  readout_mix_backward_mix: 1e-7,
  reward_signal: 1e-7,
  rms_norm_backward_input: 1e-7,
  rms_norm_forward: 1e-7,
  softmax_rows: 1e-7,
  synchrony_backward: 2e-7,
  tas_decode: 1e-7,
};

const file = new URL('../golden/kernels-before.json.gz', import.meta.url);
const stored = JSON.parse(gunzipSync(readFileSync(file)).toString()) as Record<string, Stored[]>;

const names = kernelNames.filter((name) => stored[name]);

let wasm: Backend;
beforeAll(async () => {
  wasm = await wasmVariants['wasm, plain, 1 thread']();
});
afterAll(() => wasm.close());

describe('in float64', () => {
  it.each(names)('%s means what it meant', async (kernel) => {
    const { actual, expected } = samplesOf(kernel, await run(reference, kernel));
    expect(actual).toMatchNumbers(expected, TOLERANCE);
  });
});

describe('in plain WASM', () => {
  it.each(names.filter((name) => !(name in OTHER_BITS)))(
    '%s gives the same bits',
    async (kernel) => {
      expect(digestsOf(await run(wasm, kernel))).toEqual(storedDigests(kernel));
    },
  );

  it.each(Object.entries(OTHER_BITS))('%s gives other bits, within %f', async (name, bound) => {
    const kernel = name as KernelName;
    const results = await run(wasm, kernel);
    // One that gives the same bits again does not belong here any more.
    expect(digestsOf(results)).not.toEqual(storedDigests(kernel));
    const { actual, expected } = samplesOf(kernel, results);
    expect(actual).toMatchNumbers(expected, bound);
  });
});

async function run(backend: Backend, kernel: KernelName): Promise<Written[]> {
  const cases = [1, 65].map((size) => casesOf(kernel, size));
  const results: Written[] = [];
  for (const some of cases) results.push(...(await runKernels(backend, some)));
  return results;
}

function digestsOf(results: readonly Written[]): Record<string, string>[] {
  return results.map((written) =>
    Object.fromEntries(Object.entries(written).map(([name, data]) => [name, digestOf(data)])),
  );
}

function storedDigests(kernel: KernelName): Record<string, string>[] {
  return stored[kernel]!.map(({ outputs }) =>
    Object.fromEntries(Object.entries(outputs).map(([name, { digest }]) => [name, digest])),
  );
}

/** The samples that are stored, and the same of some results. */
function samplesOf(kernel: KernelName, results: readonly Written[]) {
  const pairs = stored[kernel]!.flatMap(({ outputs }, index) =>
    Object.entries(outputs).map(([name, { values }]) => {
      const data = results[index]![name]!;
      return { actual: sampled(data), expected: read(values, data) };
    }),
  );
  return {
    actual: pairs.flatMap(({ actual }) => actual),
    expected: pairs.flatMap(({ expected }) => expected),
  };
}

function sampled(data: Float32Array | Uint32Array): number[] {
  const every = Math.max(1, Math.ceil(data.length / SAMPLES));
  return Array.from({ length: Math.ceil(data.length / every) }, (_, index) => data[index * every]!);
}

function read(text: string, like: Float32Array | Uint32Array): number[] {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
  return [
    ...(like instanceof Float32Array
      ? new Float32Array(bytes.buffer)
      : new Uint32Array(bytes.buffer)),
  ];
}

function digestOf({ buffer, byteOffset, byteLength }: Float32Array | Uint32Array): string {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  return createHash('sha256').update(bytes).digest('base64').slice(0, 12);
}
