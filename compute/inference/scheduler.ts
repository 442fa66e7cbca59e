import { Problem } from '../../edge/http/problem.ts';
import type { Written } from '../../engine/index.ts';
import { BatchingWindow } from './batching-window.ts';
import type { Engine } from './engine.ts';
import type { Ended, Fault, Turn, Work } from './engine-messages.ts';
import { PriorityQueue } from './priority-queue.ts';

export interface BatchingOptions {
  /** Sequences that one engine reads together at most. */
  readonly maxBatchSize: number;
  /** How long an idle engine may wait for company. */
  readonly maxQueueDelayUs: number;
  /** Requests that may wait for a place, for each model. */
  readonly maxQueueSize: number;
}

/** Who waits for an answer. */
export interface Listener {
  /** An engine is at it from now on. */
  began(): void;
  wrote(written: Written): void;
  ended(ended: Ended): void;
  failed(problem: Problem): void;
}

interface Submission {
  readonly work: Work;
  readonly priority: number;
  readonly listener: Listener;
}

interface Task extends Submission {
  readonly id: number;
  /** Where it runs; undefined while it waits. */
  engine: number | undefined;
}

let latestId = 0;

/** Hands the requests to one model to its engines, as places come free. */
export class Scheduler {
  readonly #model: string;
  readonly #engines: readonly Engine[];
  readonly #options: BatchingOptions;
  readonly #queue = new PriorityQueue<Task>();
  readonly #tasks = new Map<number, Task>();
  /** Sequences on each engine. */
  readonly #loads: number[];
  readonly #window = new BatchingWindow();
  #timer: NodeJS.Timeout | undefined;
  #firstWaitingSince = 0;

  constructor(model: string, engines: readonly Engine[], options: BatchingOptions) {
    this.#model = model;
    this.#engines = engines;
    this.#options = options;
    this.#loads = engines.map(() => 0);
  }

  get waiting(): number {
    return this.#queue.size;
  }

  get running(): number {
    return this.#loads.reduce((sum, load) => sum + load, 0);
  }

  /** Returns what calls it off: the place is free within a token. @throws Problem rate_limited */
  submit(submission: Submission): () => void {
    if (this.#freest() === undefined) this.#refuseFull();
    const now = performance.now();
    this.#window.arrived(now);
    if (this.#queue.size === 0) this.#firstWaitingSince = now;
    latestId += 1;
    const task: Task = { ...submission, id: latestId, engine: undefined };
    this.#tasks.set(task.id, task);
    this.#queue.push(task, submission.priority);
    this.#dispatch();
    return () => this.#callOff(task);
  }

  turned({ written, ended, rows, ms }: Turn): void {
    this.#window.took(rows, ms);
    for (const { id, ...piece } of written) this.#tasks.get(id)?.listener.wrote(piece);
    for (const end of ended) {
      const task = this.#tasks.get(end.id);
      if (!task) continue;
      this.#leave(task);
      task.listener.ended(end);
    }
    this.#dispatch();
  }

  /** An engine lost the model: everything that waits or runs fails. */
  broken({ message }: Fault): void {
    clearTimeout(this.#timer);
    const problem = new Problem('upstream_error', `The engine lost the model: ${message}.`);
    for (const task of this.#tasks.values()) {
      this.#leave(task);
      task.listener.failed(problem);
    }
  }

  #callOff(task: Task): void {
    if (!this.#tasks.has(task.id)) return;
    if (task.engine !== undefined) this.#engines[task.engine]?.cancel(this.#model, task.id);
    this.#leave(task);
    this.#dispatch();
  }

  #leave(task: Task): void {
    this.#tasks.delete(task.id);
    if (task.engine === undefined) this.#queue.remove(task);
    else this.#loads[task.engine] = (this.#loads[task.engine] ?? 1) - 1;
  }

  /** The engine with the most places free, where one has any. */
  #freest(): number | undefined {
    const least = Math.min(...this.#loads);
    return least < this.#options.maxBatchSize ? this.#loads.indexOf(least) : undefined;
  }

  #dispatch(): void {
    clearTimeout(this.#timer);
    const wait = this.#queue.size > 0 ? this.#windowMs() : 0;
    if (wait > 0) this.#timer = setTimeout(() => this.#begin(), wait);
    else this.#begin();
  }

  /** Only an idle engine waits: where one is at work, who comes joins between two tokens. */
  #windowMs(): number {
    const { maxBatchSize, maxQueueDelayUs } = this.#options;
    const { size } = this.#queue;
    if (maxQueueDelayUs === 0 || this.running > 0 || size >= maxBatchSize) return 0;
    const waited = performance.now() - this.#firstWaitingSince;
    return this.#window.waitMs(size, waited, maxQueueDelayUs / 1000);
  }

  #begin(): void {
    for (let engine = this.#freest(); engine !== undefined; engine = this.#freest()) {
      const task = this.#queue.shift();
      if (!task) return;
      task.engine = engine;
      this.#loads[engine] = (this.#loads[engine] ?? 0) + 1;
      this.#engines[engine]?.start(this.#model, { id: task.id, ...task.work });
      task.listener.began();
    }
  }

  #refuseFull(): void {
    const { size } = this.#queue;
    const { maxQueueSize } = this.#options;
    if (size < maxQueueSize) return;
    const detail = `${size} requests wait for ${this.#model} already, expected at most ${maxQueueSize}.`;
    throw new Problem('rate_limited', detail, { headers: { 'retry-after': '1' } });
  }
}
