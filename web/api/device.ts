/** Compute capabilities that this browser reports. */
export interface Device {
  readonly gpu: Gpu;
  readonly wasm: Wasm;
}

export type Gpu =
  /** The browser has no WebGPU at all. */
  | { readonly kind: 'missing' }
  /** It has, but found nothing to run it on. */
  | { readonly kind: 'none' }
  | {
      readonly kind: 'hardware' | 'software';
      /** Vendor and architecture; empty where the browser does not disclose them. */
      readonly name: string;
      readonly features: readonly GpuFeature[];
      readonly maxBufferBytes: number;
    };

const GPU_FEATURES = ['shader-f16', 'subgroups', 'timestamp-query'] as const;
export type GpuFeature = (typeof GPU_FEATURES)[number];

export interface Wasm {
  readonly simd: 'none' | 'plain' | 'relaxed';
  readonly threads: number;
}

/** Asks the browser once. Takes no device: nothing is allocated on a GPU. */
export async function probeDevice(): Promise<Device> {
  return { gpu: await probeGpu(), wasm: probeWasm() };
}

async function probeGpu(): Promise<Gpu> {
  // Typed as always there, but absent on insecure pages and in older browsers.
  const gpu = navigator.gpu as GPU | undefined;
  if (!gpu) return { kind: 'missing' };
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  if (!adapter) return { kind: 'none' };
  const { info, features, limits } = adapter;
  return {
    kind: isSoftware(info) ? 'software' : 'hardware',
    name: [info.vendor, info.architecture].filter(Boolean).join(' '),
    features: GPU_FEATURES.filter((feature) => features.has(feature)),
    maxBufferBytes: limits.maxBufferSize,
  };
}

function isSoftware({ architecture, isFallbackAdapter }: GPUAdapterInfo): boolean {
  return isFallbackAdapter || architecture === 'swiftshader';
}

function probeWasm(): Wasm {
  const plain = WebAssembly.validate(SIMD) ? 'plain' : 'none';
  return {
    simd: WebAssembly.validate(RELAXED_SIMD) ? 'relaxed' : plain,
    threads: wasmThreads(),
  };
}

/** Threads that WebAssembly may use here: 1 unless the page is cross-origin isolated. */
export function wasmThreads(): number {
  return globalThis.crossOriginIsolated ? navigator.hardwareConcurrency : 1;
}

/** A module with one function `() -> v128`; `code` are the bytes of its body. */
function module(code: readonly number[]): Uint8Array<ArrayBuffer> {
  const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  const type = [1, 5, 1, 0x60, 0, 1, 0x7b];
  const functions = [3, 2, 1, 0];
  const body = [10, code.length + 4, 1, code.length + 2, 0, ...code, 0x0b];
  return Uint8Array.from([...header, ...type, ...functions, ...body]);
}

/** i32.const 0, i8x16.splat */
const SIMD = module([0x41, 0, 0xfd, 0x0f]);

/** Two splats, i8x16.relaxed_swizzle */
const RELAXED_SIMD = module([0x41, 0, 0xfd, 0x0f, 0x41, 0, 0xfd, 0x0f, 0xfd, 0x80, 0x02]);
