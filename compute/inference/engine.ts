import { Worker } from 'node:worker_threads';
import { type DeviceChoice, openBackend } from '../../engine/index.ts';
import { openNodeGpu } from '../gpu/node-gpu.ts';
import { createEngineHost } from './engine-host.ts';
import type { Fault, NumberedWork, Order, Report, Turn } from './engine-messages.ts';

/** Description of a model on an engine. */
interface ModelListener {
  turn(turn: Turn): void;
  /** Nothing more comes of the sequences it was writing. */
  broken(fault: Fault): void;
}

interface OpenOptions {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly slots: number;
  readonly warmup: boolean;
  readonly listener: ModelListener;
}

/** Runs several models: a thread with WASM of its own, or a GPU. */
export interface Engine {
  readonly device: string;
  /** @throws EngineFault where the model cannot be built */
  open(model: string, options: OpenOptions): Promise<void>;
  /** Settles once its memory is given back. */
  close(model: string): Promise<void>;
  start(model: string, work: NumberedWork): void;
  cancel(model: string, id: number): void;
  end(): Promise<void>;
}

/** An engine that could not execute a request. */
export class EngineFault extends Error {
  override readonly name = 'EngineFault';
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.message);
    this.fault = fault;
  }
}

/** Start data of a thread. */
export interface ThreadData {
  readonly threads: number;
}

/** How orders get to where they are carried out. */
interface Line {
  send(order: Order): void;
  end(): Promise<unknown>;
}

type Connect = (onReport: (report: Report) => void, onLost: (reason: string) => void) => Line;

/** An engine on `threads` processors, in a thread that is started anew where it dies. */
export function startThreadEngine(threads: number): Promise<Engine> {
  const workerData: ThreadData = { threads };
  return startEngine(true, (onReport, lost) => {
    const worker = new Worker(new URL('engine-thread.ts', import.meta.url), { workerData });
    worker.on('message', onReport);
    worker.on('error', (error) => lost(error instanceof Error ? error.message : String(error)));
    worker.on('exit', (code) => lost(`the engine thread ended with ${code}`));
    return { send: (order) => worker.postMessage(order, []), end: () => worker.terminate() };
  });
}

/** An engine in this very thread, for devices that compute elsewhere. */
export async function startOwnEngine(device: DeviceChoice): Promise<Engine> {
  const mayBeGpu = device === 'auto' || device === 'webgpu';
  const backend = await openBackend(device, { gpu: mayBeGpu ? await openNodeGpu() : undefined });
  return startEngine(false, (onReport, lost) => {
    void backend.lost.then(lost);
    // An answer never comes before its question has been asked to the end.
    const carryOut = createEngineHost(backend, (report) => setImmediate(onReport, report));
    setImmediate(onReport, { type: 'started', device: backend.device.label });
    return { send: carryOut, end: async () => backend.close() };
  });
}

interface Known {
  readonly listener: ModelListener;
  readonly opened: PromiseWithResolvers<void>;
  readonly closed: PromiseWithResolvers<void>;
}

async function startEngine(restarts: boolean, connect: Connect): Promise<Engine> {
  const engine = new ConnectedEngine(restarts, connect);
  await engine.started;
  return engine;
}

class ConnectedEngine implements Engine {
  device = '';
  readonly started: Promise<void>;
  readonly #isStarted = Promise.withResolvers<void>();
  /** Whether a lost one is started anew; one that never started is not. */
  readonly #restarts: boolean;
  readonly #connect: Connect;
  readonly #models = new Map<string, Known>();
  #line: Line;
  #isEnding = false;
  /** Why it does no more work. */
  #dead: Fault | undefined;

  constructor(restarts: boolean, connect: Connect) {
    this.#restarts = restarts;
    this.started = this.#isStarted.promise;
    this.#connect = connect;
    this.#line = this.#join();
  }

  async open(model: string, { listener, ...order }: OpenOptions): Promise<void> {
    if (this.#dead) throw new EngineFault(this.#dead);
    const known: Known = {
      listener,
      opened: Promise.withResolvers(),
      closed: Promise.withResolvers(),
    };
    this.#models.set(model, known);
    this.#line.send({ type: 'open', model, ...order });
    await known.opened.promise;
  }

  async close(model: string): Promise<void> {
    const known = this.#models.get(model);
    if (!known) return;
    this.#line.send({ type: 'close', model });
    await known.closed.promise;
  }

  start(model: string, work: NumberedWork): void {
    this.#line.send({ type: 'start', model, work });
  }

  cancel(model: string, id: number): void {
    this.#line.send({ type: 'cancel', model, id });
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#line.end();
  }

  #join(): Line {
    let isLost = false;
    return this.#connect(
      (report) => this.#reported(report),
      (reason) => {
        if (isLost || this.#isEnding) return;
        isLost = true;
        const fault: Fault = { code: 'device-lost', message: reason };
        if (this.device === '' || !this.#restarts) this.#dead = fault;
        else this.#line = this.#join();
        this.#lose(fault);
      },
    );
  }

  #reported(report: Report): void {
    if (report.type === 'started') {
      this.device = report.device;
      this.#isStarted.resolve();
      return;
    }
    const known = this.#models.get(report.model);
    if (known) this.#reportedBy(known, report);
  }

  #reportedBy(known: Known, report: Exclude<Report, { readonly type: 'started' }>): void {
    switch (report.type) {
      case 'opened':
        known.opened.resolve();
        return;
      case 'refused':
        this.#models.delete(report.model);
        known.opened.reject(new EngineFault(report.fault));
        return;
      case 'turn':
        known.listener.turn(report.turn);
        return;
      case 'broken':
        known.listener.broken(report.fault);
        return;
      case 'closed':
        this.#models.delete(report.model);
        known.closed.resolve();
    }
  }

  #lose(fault: Fault): void {
    this.#isStarted.reject(new EngineFault(fault));
    for (const [key, { opened, closed, listener }] of this.#models) {
      this.#models.delete(key);
      opened.reject(new EngineFault(fault));
      closed.resolve();
      listener.broken(fault);
    }
  }
}
