import {
  awaitPlay,
  bindSchedule,
  type PackedSchedule,
  playShare,
  reportFailure,
} from './schedule.ts';

/** What a thread is started with. */
export interface ThreadTask {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  /** Address and words of the control block. */
  readonly control: readonly [address: number, words: number];
  /** Address of this thread's scratch memory. */
  readonly scratch: number;
  readonly threads: number;
  readonly schedules: readonly PackedSchedule[];
}

/** Plays its share of every program until the thread is ended. Returns only when something failed. */
export function serve(task: ThreadTask, ready: () => void): void {
  const { module, memory, control: place, scratch, threads } = task;
  const { exports } = new WebAssembly.Instance(module, importsOf(memory));
  const schedules = task.schedules.map((packed) => bindSchedule(exports, packed));
  const control = new Int32Array(memory.buffer, ...place);
  ready();
  try {
    for (let play = awaitPlay(control, 0); ; play = awaitPlay(control, play.epoch)) {
      const schedule = schedules[play.program];
      if (!schedule || playShare(schedule, { control, threads, epoch: play.epoch, scratch }))
        return;
    }
  } catch (error) {
    reportFailure(control);
    throw error;
  }
}

/** The imports of every build. */
export function importsOf(memory: WebAssembly.Memory): WebAssembly.Imports {
  return { env: { memory, abort } };
}

function abort(): never {
  throw new Error('a kernel of the WASM backend aborted');
}
