import { Category, ModelType } from '../../edge/training/contract/family-schemas.ts';
import type { TrainerDevice } from '../../edge/training/contract/trainer.ts';
import type { TrainerFacts } from '../../trainer/environment.ts';
import { type Device, probeDevice } from '../api/device.ts';

const VERSION = '0.1.0';
const MAX_LABEL_LENGTH = 128;

/** Finds out once what this tab can do. How much memory is free, no browser tells. */
export async function createTabFacts(): Promise<() => Promise<TrainerFacts>> {
  const device = deviceOf(await probeDevice());
  const facts: TrainerFacts = {
    name: browserName(navigator.userAgent),
    kind: 'tab',
    version: VERSION,
    device,
    categories: [...Category.options],
    model_types: [...ModelType.options],
    datasets: [],
    region_id: null,
    slots: 1,
    load: 0,
  };
  return async () => facts;
}

/** The device that the engine opens by default: a GPU where there is one, else WASM. */
function deviceOf({ gpu, wasm }: Device): TrainerDevice {
  const unknown = { gpu_index: null, total_bytes: null, free_bytes: null };
  if (gpu.kind === 'hardware') {
    const label = gpu.name === '' ? 'WebGPU' : `WebGPU, ${gpu.name}`;
    return { kind: 'gpu', label: label.slice(0, MAX_LABEL_LENGTH), ...unknown };
  }
  const simd = wasm.simd === 'none' ? 'WASM' : 'WASM SIMD';
  const threads = `${wasm.threads} ${wasm.threads === 1 ? 'thread' : 'threads'}`;
  return { kind: 'cpu', label: `${simd}, ${threads}`, ...unknown };
}

/** The order matters: every browser also claims to be those before it. */
const BROWSERS = [
  ['Edge', /\bEdg\//],
  ['Firefox', /\bFirefox\//],
  ['Chrome', /Chrome\//],
  ['Safari', /\bSafari\//],
] as const;
const SYSTEMS = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
] as const;

/** The tab's name among trainers, such as `Chrome on Linux`. */
export function browserName(userAgent: string): string {
  const nameIn = (names: readonly (readonly [string, RegExp])[]) =>
    names.find(([, pattern]) => pattern.test(userAgent))?.[0];
  return `${nameIn(BROWSERS) ?? 'A browser'} on ${nameIn(SYSTEMS) ?? 'an unknown system'}`;
}
