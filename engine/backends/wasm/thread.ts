import {
  bindSchedule,
  enterPlay,
  leavePlay,
  type PackedSchedule,
  type Play,
  playShare,
  reportFailure,
} from './schedule.ts';

/** Message that starts a thread. */
export interface ThreadTask {
  /** The kernels; no two of them have one of the same name. */
  readonly modules: readonly WebAssembly.Module[];
  readonly memory: WebAssembly.Memory;
  /** Address and words of the control block. */
  readonly control: readonly [address: number, words: number];
  /** This thread's number; the calling thread is 0. */
  readonly thread: number;
  readonly threads: number;
  /** Address of this thread's scratch memory. */
  readonly scratch: number;
  readonly schedules: readonly PackedSchedule[];
}

/** Plays its share of every program until the thread is ended. Returns only when something failed. */
export function serve(task: ThreadTask, ready: () => void): void {
  const { modules, memory, thread, threads, scratch } = task;
  const exports = exportsOf(modules, memory);
  const schedules = task.schedules.map((packed) => bindSchedule(exports, packed));
  const control = { words: new Int32Array(memory.buffer, ...task.control), threads };
  ready();
  try {
    for (let play: Play = { epoch: 0, program: 0, times: 0 }; ;) {
      play = enterPlay(control, thread, play.epoch);
      const schedule = schedules[play.program];
      if (!schedule || playShare(schedule, { ...play, control, scratch })) return;
      leavePlay(control, thread);
    }
  } catch (error) {
    reportFailure(control);
    throw error;
  }
}

/** The kernels of all modules on one memory. */
export function exportsOf(
  modules: readonly WebAssembly.Module[],
  memory: WebAssembly.Memory,
): WebAssembly.Exports {
  const instances = modules.map(
    (module) => new WebAssembly.Instance(module, { env: { memory, abort } }),
  );
  return Object.assign({}, ...instances.map(({ exports }) => exports));
}

function abort(): never {
  throw new Error('a kernel of the WASM backend aborted');
}
