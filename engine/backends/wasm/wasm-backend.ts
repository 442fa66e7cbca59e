import { EngineError } from '../../errors.ts';
import { host } from '#wasm-host';
import type { Backend } from '../../graph/backend.ts';
import type { Build } from './host/host.ts';
import { createPlayer } from './player.ts';

export interface WasmOptions {
  /** Threads that share the work, the calling one among them; all cores where it is left out. */
  readonly threads?: number;
  /** The same digits on every machine: no fused multiply-add. The number of threads never matters. */
  readonly deterministic?: boolean;
  /** Words that a call of a program touches on average from which on threads share it. */
  readonly sharedFrom?: number;
}

/**
 * Some 25 microseconds on one thread. Waiting for each other costs 9 a call: tiny, with 30,000 words a
 * call, is trained 1.6 times faster on one thread than on two.
 */
const WORTH_SHARING = 50_000;

/** More threads than this help no machine, and each takes tens of megabytes. */
const THREADS_PER_CORE = 4;
const MIN_BOUND = 32;

/** Opens the WASM backend. Throws EngineError `invalid-setting` for threads that cannot be. */
export async function openWasmBackend(options: WasmOptions = {}): Promise<Backend> {
  const { deterministic = false, sharedFrom = WORTH_SHARING } = options;
  const threads = countThreads(options.threads);
  const { module, build } = await compileBuild(threads > 1 ? 'shared' : 'own', deterministic);
  const isRelaxed = build.startsWith('relaxed');
  let settle: ((reason: string) => void) | undefined;
  const lost = new Promise<string>((resolve) => (settle = resolve));
  const reportLoss = (reason: string) => settle?.(reason);
  const whole = async () => (await host.compileWhole?.(build)) ?? module;
  return {
    device: {
      backend: 'wasm',
      label: `WASM SIMD on the processor (${threads} ${threads === 1 ? 'thread' : 'threads'})`,
      isHardware: false,
      features: build.split('-'),
      maxBlockBytes: undefined,
    },
    lost,
    load: (layout, programs) =>
      createPlayer({ module, whole, isRelaxed, threads, sharedFrom, reportLoss }, layout, programs),
    close: () => {},
  };
}

function countThreads(wanted: number | undefined): number {
  if (wanted === undefined) return host.canShare ? host.cores : 1;
  const most = Math.max(MIN_BOUND, THREADS_PER_CORE * host.cores);
  if (Number.isInteger(wanted) && wanted >= 1 && wanted <= most) return host.canShare ? wanted : 1;
  throw new EngineError(
    'invalid-setting',
    `threads is ${wanted}: expected a whole number from 1 to ${most}`,
  );
}

/** A module of one function, f32x4.relaxed_madd (0xfd 0x105): no build is fetched that cannot run. */
const RELAXED = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 8, 1, 0x60, 3, 0x7b, 0x7b, 0x7b, 1, 0x7b, 3, 2, 1, 0],
  ...[10, 13, 1, 11, 0, 0x20, 0, 0x20, 1, 0x20, 2, 0xfd, 0x85, 2, 11],
);

async function compileBuild(
  memory: 'shared' | 'own',
  deterministic: boolean,
): Promise<{ module: WebAssembly.Module; build: Build }> {
  const mayRelax = !deterministic && WebAssembly.validate(RELAXED);
  const kinds = mayRelax ? (['relaxed', 'plain'] as const) : (['plain'] as const);
  for (const kind of kinds) {
    const build: Build = `${kind}-${memory}`;
    const module = await host.compile(build);
    if (module) return { module, build };
  }
  throw new EngineError('no-adapter', 'this machine runs no WASM with 128-bit SIMD');
}
