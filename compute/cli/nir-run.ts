import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  decodeSafetensors,
  EngineError,
  encodeSafetensors,
  type NirNetwork,
  type NirSignals,
  openNir,
  parseDevice,
  type ResetRule,
} from '../../engine/index.ts';
import { readNirFile } from '../nir/nir-file.ts';
import { type DeviceFlags, openNodeDevice } from './open-device.ts';

interface NirRunOptions extends DeviceFlags {
  readonly input: string;
  readonly steps: number;
  readonly rows: number;
  readonly dt: number;
  readonly reset: ResetRule;
  readonly record?: readonly string[];
  readonly output?: string;
  readonly json?: boolean;
}

/** Runs a file's network once and reports what each of its outputs did. */
export async function runNir(path: string, options: NirRunOptions): Promise<void> {
  parseDevice(options.device);
  const { graph } = await readNirFile(path);
  const backend = await openNodeDevice(options);
  const { steps, rows, dt, reset, record = [] } = options;
  const network = await openNir(backend, graph, { steps, rows, dt, reset, record });
  const inputs = await readInputs(network, options);
  const started = performance.now();
  const signals = await network.run(inputs);
  const seconds = (performance.now() - started) / 1000;
  if (options.output) await writeSignals(options.output, network, signals, options);
  const sums = Object.entries(signals).map(
    ([name, data]) => [name, sumsOf(network, name, data)] as const,
  );
  if (options.json) {
    console.log(
      JSON.stringify({ steps, rows, dt, reset, seconds, sums: Object.fromEntries(sums) }),
    );
    return;
  }
  for (const [name, sum] of sums) console.log(`${name}: ${sum.map(shorten).join(' ')}`);
  console.error(`${steps} steps in ${seconds.toFixed(3)} s on ${backend.device.label}`);
}

async function readInputs(
  network: NirNetwork,
  { input, rows }: NirRunOptions,
): Promise<NirSignals> {
  const held = Number(input);
  if (input.trim() !== '' && !Number.isNaN(held)) {
    const all = [...network.inputs].map(([name, shape]) => {
      const size = shape.reduce((product, axis) => product * axis, rows);
      return [name, new Float32Array(size).fill(held)] as const;
    });
    return Object.fromEntries(all);
  }
  const { tensors } = decodeSafetensors(await readFile(input), basename(input));
  const all = [...tensors].map(([name, { dtype, data }]) => {
    if (data instanceof Float32Array) return [name, data] as const;
    throw new EngineError('invalid-setting', `${input}: ${name} is ${dtype}: expected F32`);
  });
  return Object.fromEntries(all);
}

async function writeSignals(
  path: string,
  network: NirNetwork,
  signals: NirSignals,
  { steps, rows }: NirRunOptions,
): Promise<void> {
  const tensors = Object.entries(signals).map(([name, data]) => {
    const shape = [steps, rows, ...(network.outputs.get(name) ?? [])];
    return [name, { dtype: 'F32' as const, shape, data }] as const;
  });
  await writeFile(path, encodeSafetensors({ tensors: new Map(tensors), metadata: {} }));
}

/** Output of each neuron, summed over steps and sequences: a spike count where it spikes. */
function sumsOf(network: NirNetwork, name: string, data: Float32Array): number[] {
  const size = (network.outputs.get(name) ?? []).reduce((product, axis) => product * axis, 1);
  const sums = Array.from({ length: size }, () => 0);
  for (const [i, value] of data.entries()) sums[i % size] = (sums[i % size] ?? 0) + value;
  return sums;
}

function shorten(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toPrecision(6);
}
