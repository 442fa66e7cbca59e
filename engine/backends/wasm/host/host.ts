import type { ModuleKind } from '../emit/emit-missing.ts';
import type { Missing } from '../emit/plan.ts';
import type { ThreadTask } from '../thread.ts';

/** The four builds of the kernels: with or without relaxed SIMD, on shared memory or their own. */
export type Build = `${'relaxed' | 'plain'}-${'shared' | 'own'}`;

/** A running thread. */
export interface Thread {
  /** Settles with the reason when the thread ends, on purpose or not. */
  readonly ended: Promise<string>;
  end(): void;
}

/** Services that the backend needs from its environment. */
export interface Host {
  readonly cores: number;
  /** Whether threads can share memory here. */
  readonly canShare: boolean;
  /** A build made ready; undefined where this machine cannot run it. */
  compile(build: Build): Promise<WebAssembly.Module | undefined>;
  /** The same with every kernel, where `compile` gives those that networks of layers call. */
  compileWhole?(build: Build): Promise<WebAssembly.Module | undefined>;
  /** A module of kernels that no build has, as a user's neurons are; the compiler is loaded for it. */
  emit(missing: readonly Missing[], kind: ModuleKind): Promise<WebAssembly.Module>;
  /** Starts a thread that serves the task; resolves once it waits for its first play. */
  spawn(task: ThreadTask): Promise<Thread>;
  /** Lets the event loop run: resolves after pending events have been handled. */
  turn(): Promise<void>;
}
