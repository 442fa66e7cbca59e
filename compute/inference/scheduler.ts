import { Problem } from '../../edge/http/problem.ts';
import { BatchingWindow } from './batching-window.ts';
import type { Engine } from './engine.ts';
import type { Ended, Fault, Sequence, Turn } from './engine-messages.ts';
import { PriorityQueue } from './priority-queue.ts';

export interface BatchingOptions {
  /** Sequences that one engine reads together at most. */
  readonly maxBatchSize: number;
  /** How long an idle engine may wait for company. */
  readonly maxQueueDelayUs: number;
  /** Requests that may wait for a place, for each model. */
  readonly maxQueueSize: number;
}

/** Who waits for a text. */
export interface Listener {
  /** An engine reads its prompt from now on. */
  began(): void;
  wrote(tokens: readonly number[]): void;
  ended(ended: Ended): void;
  failed(problem: Problem): void;
}

export interface Asked {
  readonly sequence: Omit<Sequence, 'id'>;
  readonly priority: number;
  readonly listener: Listener;
}

/** Hands the requests to one model to its engines, as places come free. */
export interface Scheduler {
  /** Returns what calls it off: the place is free within a token. @throws Problem rate_limited */
  submit(asked: Asked): () => void;
  readonly waiting: number;
  readonly running: number;
  turned(turn: Turn): void;
  /** An engine lost the model: everything that waits or runs fails. */
  broken(fault: Fault): void;
}

interface Task extends Asked {
  readonly id: number;
  /** Where it runs; undefined while it waits. */
  engine: number | undefined;
}

let latestId = 0;

export function createScheduler(
  model: string,
  engines: readonly Engine[],
  options: BatchingOptions,
): Scheduler {
  const { maxBatchSize, maxQueueSize, maxQueueDelayUs } = options;
  const queue = new PriorityQueue<Task>();
  const tasks = new Map<number, Task>();
  const loads = engines.map(() => 0);
  const window = new BatchingWindow();
  let timer: NodeJS.Timeout | undefined;
  let firstWaitingSince = 0;

  const leave = (task: Task) => {
    tasks.delete(task.id);
    if (task.engine === undefined) queue.remove(task);
    else loads[task.engine] = (loads[task.engine] ?? 1) - 1;
  };

  /** The engine with the most places free. */
  const freest = () => {
    const least = Math.min(...loads);
    return least < maxBatchSize ? loads.indexOf(least) : undefined;
  };

  function dispatch(): void {
    clearTimeout(timer);
    const wait = queue.size > 0 ? windowMs() : 0;
    if (wait > 0) timer = setTimeout(begin, wait);
    else begin();
  }

  /** Only an idle engine waits: where one is at work, who comes joins between two tokens. */
  function windowMs(): number {
    const isIdle = loads.every((load) => load === 0);
    if (maxQueueDelayUs === 0 || !isIdle || queue.size >= maxBatchSize) return 0;
    const waited = performance.now() - firstWaitingSince;
    return window.waitMs(queue.size, waited, maxQueueDelayUs / 1000);
  }

  function begin(): void {
    for (let engine = freest(); engine !== undefined; engine = freest()) {
      const task = queue.shift();
      if (!task) return;
      task.engine = engine;
      loads[engine] = (loads[engine] ?? 0) + 1;
      engines[engine]?.start(model, { id: task.id, ...task.sequence });
      task.listener.began();
    }
  }

  function refuseFull(): void {
    if (queue.size < maxQueueSize) return;
    const detail = `${queue.size} requests wait for ${model} already, expected at most ${maxQueueSize}.`;
    throw new Problem('rate_limited', detail, { headers: { 'retry-after': '1' } });
  }

  return {
    submit(asked) {
      if (freest() === undefined) refuseFull();
      const now = performance.now();
      window.arrived(now);
      if (queue.size === 0) firstWaitingSince = now;
      latestId += 1;
      const task: Task = { ...asked, id: latestId, engine: undefined };
      tasks.set(task.id, task);
      queue.push(task, asked.priority);
      dispatch();
      return () => {
        if (!tasks.has(task.id)) return;
        if (task.engine !== undefined) engines[task.engine]?.cancel(model, task.id);
        leave(task);
        dispatch();
      };
    },
    get waiting() {
      return queue.size;
    },
    get running() {
      return loads.reduce((sum, load) => sum + load, 0);
    },
    turned({ written, ended, rows, ms }) {
      window.took(rows, ms);
      for (const { id, tokens } of written) tasks.get(id)?.listener.wrote(tokens);
      for (const end of ended) {
        const task = tasks.get(end.id);
        if (!task) continue;
        leave(task);
        task.listener.ended(end);
      }
      dispatch();
    },
    broken({ message }) {
      clearTimeout(timer);
      for (const task of tasks.values()) {
        leave(task);
        task.listener.failed(
          new Problem('upstream_error', `The engine lost the model: ${message}.`),
        );
      }
    },
  };
}
