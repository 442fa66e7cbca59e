import type { ParameterLayout } from './parameters.ts';
import type { Program } from './program.ts';
import type { Tensor } from './tensor.ts';

/** Description of a device, for people and for capacity checks, not for branching. */
export interface DeviceDescription {
  readonly backend: 'webgpu' | 'wasm' | 'reference';
  /** One line for people, such as `WebGPU on the CPU (google swiftshader)`. */
  readonly label: string;
  /** Whether this is a GPU, rather than a processor standing in for one. */
  readonly isHardware: boolean;
  /** Features in use, such as `subgroups`. */
  readonly features: readonly string[];
  /** The largest single block of memory, where the device has a limit. */
  readonly maxBlockBytes: number | undefined;
}

/** Compiles programs and lends the memory they run on. One backend is one device. */
export interface Backend {
  readonly device: DeviceDescription;
  /** Settles when the device is lost, with the reason; never when it is closed on purpose. */
  readonly lost: Promise<string>;
  /**
   * Prepares programs that share parameters. Throws EngineError `out-of-memory` naming the bytes, or
   * `shader-invalid` naming the kernel.
   */
  load(layout: ParameterLayout, programs: readonly Program[]): Promise<Player>;
  close(): void;
}

/**
 * Programs ready to be played on memory of their own. Everything is queued in order: what is written
 * before a play is seen by it, and what is read after a play is its result.
 */
export interface Player {
  /**
   * Queues `times` runs of the program after one another, once where it is left out. They are one
   * submission, or a few where they are so much work that a watchdog might end it. Allocates nothing.
   */
  play(program: Program, times?: number): void;
  /**
   * Plays the program once, call after call, and gives the milliseconds each call took. Slower than
   * `play`; the result is the same.
   */
  time(program: Program): Promise<Float64Array>;
  /** Overwrites a persistent tensor (parameters, moments or local). */
  write(tensor: Tensor, data: Float32Array | Uint32Array): void;
  /** Copies a persistent tensor to the host; waits for all that was queued before. */
  read(tensor: Tensor): Promise<Float32Array | Uint32Array>;
  /** Waits until everything queued so far is done. */
  settled(): Promise<void>;
  close(): void;
}
