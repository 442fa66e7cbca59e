import { parentPort, workerData } from 'node:worker_threads';
import { drawsOf } from './draws.ts';
import { caseOf, outcomeOf } from './target.ts';

export type FromThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'fault'; readonly number: number; readonly fault: string }
  | { readonly kind: 'spent'; readonly number: number }
  | { readonly kind: 'done' };

export interface ToThread {
  readonly name: string;
  readonly seed: number;
  readonly from: number;
  readonly to: number;
  /** The number of the case that is being read, and how many were read well. */
  readonly shared: SharedArrayBuffer;
}

const { targetNamed } = await import('./targets.ts');
const { name, seed, from, to, shared } = workerData as ToThread;
const target = targetNamed(name);
const seeds = await target.seeds();
const port = parentPort;
if (!port) throw new Error('fuzz-thread.ts runs in a worker thread');
const tell = (message: FromThread) => port.postMessage(message);
const now = new Int32Array(shared);

tell({ kind: 'ready' });
let isSpent = false;
for (let number = from; number < to && !isSpent; number++) {
  Atomics.store(now, 0, number);
  const bytes = caseOf(target, seeds, drawsOf(name, seed, number));
  const outcome = await outcomeOf(target, bytes);
  if (outcome === 'read') Atomics.add(now, 1, 1);
  else if (outcome !== 'refused') tell({ kind: 'fault', number, ...outcome });
  isSpent = target.isSpent?.() ?? false;
  if (isSpent) tell({ kind: 'spent', number });
}
if (!isSpent) tell({ kind: 'done' });
