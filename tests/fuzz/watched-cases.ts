import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { targetNamed } from './targets.ts';
import type { FromThread, ToThread } from './fuzz-thread.ts';

/** The outcome of the cases of a parser. */
export interface Outcome {
  readonly name: string;
  readonly cases: number;
  readonly seconds: number;
  /** Processor time, which others on the machine do not lengthen. */
  readonly cpuSeconds: number;
  /** Cases that were read and not refused. */
  readonly read: number;
  /** By the number of their case. */
  readonly faults: readonly { readonly number: number; readonly fault: string }[];
  /** Cases that were ended as the product ends them, where its library does not come to an end. */
  readonly cutOff: number;
  /** By how much the process grew at most since its first cases, and the case at which it grew most. */
  readonly grownBytes: number;
  readonly grownAt: number;
}

/** A case that takes longer hangs, as does one that waits for so long. */
const MAX_CPU_MS = 2000;
const MAX_WAIT_MS = 30_000;
const LOOK_MS = 50;
/** Code is loaded and compiled while the first ones are read. */
const WARM_UP = 500;
const MAX_FAULTS = 20;
const MEBIBYTE = 2 ** 20;

interface Watched {
  readonly faults: { number: number; fault: string }[];
  baseBytes: number | undefined;
  read: number;
  peakBytes: number;
  readonly growth: { bytes: number; number: number };
}

/**
 * Reads the mutated inputs `from` to before `to` in a thread that is ended where one of them hangs; the next
 * one goes on behind it. Meant for a process that does nothing else: its memory is measured.
 */
export async function watchCases(
  name: string,
  { seed, from, to }: { readonly seed: number; readonly from: number; readonly to: number },
): Promise<Outcome> {
  const started = performance.now();
  const target = targetNamed(name);
  const watched: Watched = {
    faults: [],
    baseBytes: undefined,
    read: 0,
    peakBytes: peakBytes(),
    growth: { bytes: 0, number: from },
  };
  let cutOff = 0;
  for (let next = from; next < to && watched.faults.length < MAX_FAULTS;) {
    const ended = await readUntil({ name, seed, from: next, to }, watched, from + WARM_UP);
    if (ended === undefined) break;
    next = ended.number + 1;
    if (ended.fault === undefined) continue;
    if (target.isCutOff && ended.isHanging) cutOff++;
    else watched.faults.push({ number: ended.number, fault: ended.fault });
  }
  const peak = peakBytes();
  return {
    name,
    cases: to - from,
    seconds: (performance.now() - started) / 1e3,
    cpuSeconds: cpuMs() / 1e3,
    read: watched.read,
    faults: watched.faults,
    cutOff,
    grownBytes: peak - (watched.baseBytes ?? peak),
    grownAt: watched.growth.number,
  };
}

interface Ended {
  readonly number: number;
  /** Undefined where it read its case, and can read no other one. */
  readonly fault: string | undefined;
  readonly isHanging: boolean;
}

/** Undefined where all were read. */
async function readUntil(
  work: Omit<ToThread, 'shared'>,
  watched: Watched,
  warm: number,
): Promise<Ended | undefined> {
  const shared = new SharedArrayBuffer(8);
  const at = new Int32Array(shared);
  at[0] = work.from;
  const thread = new Worker(new URL('./fuzz-thread.ts', import.meta.url), {
    workerData: { ...work, shared } satisfies ToThread,
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
  });
  let isReady = false;
  let end: Ended | 'done' | undefined;
  const failed = (fault: string) => ({ number: Atomics.load(at, 0), fault, isHanging: false });
  thread.on('message', (message: FromThread) => {
    if (message.kind === 'ready') isReady = true;
    if (message.kind === 'fault') watched.faults.push(message);
    if (message.kind === 'spent')
      end = { number: message.number, fault: undefined, isHanging: false };
    if (message.kind === 'done') end = 'done';
  });
  thread.on('error', (error: Error) => (end = failed(`the thread died: ${error.stack}`)));
  thread.on('exit', (code) => (end ??= failed(`the thread ended with ${code}`)));
  let [last, since, cpu] = [work.from, performance.now(), cpuMs()];
  try {
    for (;;) {
      await sleep(LOOK_MS);
      const number = Atomics.load(at, 0);
      if (end) return end === 'done' ? undefined : end;
      if (watched.faults.length >= MAX_FAULTS) return undefined;
      noteGrowth(watched, number, warm);
      if (number !== last || !isReady) [last, since, cpu] = [number, performance.now(), cpuMs()];
      const waited = performance.now() - since;
      const isHanging = waited > MAX_CPU_MS && cpuMs() - cpu > MAX_CPU_MS;
      if (isHanging || waited > MAX_WAIT_MS) {
        const fault = `it did not end within ${Math.round(waited)} ms`;
        return { number, fault, isHanging: true };
      }
    }
  } finally {
    watched.read += Atomics.load(at, 1);
    await thread.terminate();
  }
}

function noteGrowth(watched: Watched, number: number, warm: number): void {
  const peak = peakBytes();
  const bytes = peak - watched.peakBytes;
  watched.peakBytes = peak;
  if (number < warm) return;
  watched.baseBytes ??= peak;
  if (bytes > watched.growth.bytes) Object.assign(watched.growth, { bytes, number });
}

const peakBytes = () => process.resourceUsage().maxRSS * 1024;

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}

/** The most that a process may grow by. */
export const MAX_GROWTH = 256 * MEBIBYTE;
