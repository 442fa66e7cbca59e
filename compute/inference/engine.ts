import { Worker } from 'node:worker_threads';
import { type DeviceChoice, openBackend } from '../../engine/index.ts';
import { openNodeGpu } from '../gpu/node-gpu.ts';
import { createEngineHost } from './engine-host.ts';
import type { Fault, Order, Report, Sequence, Turn } from './engine-messages.ts';

/** What a model on an engine tells of itself. */
export interface ModelListener {
  turn(turn: Turn): void;
  /** Nothing more comes of the sequences it was writing. */
  broken(fault: Fault): void;
}

export interface OpenOptions {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly slots: number;
  readonly warmup: boolean;
  readonly listener: ModelListener;
}

/** What writes the texts of several models: a thread with WASM of its own, or a GPU. */
export interface Engine {
  readonly device: string;
  /** @throws EngineFault where the model cannot be built */
  open(model: string, options: OpenOptions): Promise<void>;
  /** Settles once its memory is given back. */
  close(model: string): Promise<void>;
  start(model: string, sequence: Sequence): void;
  cancel(model: string, id: number): void;
  end(): Promise<void>;
}

/** An engine that could not do what it was told. */
export class EngineFault extends Error {
  override readonly name = 'EngineFault';
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.message);
    this.fault = fault;
  }
}

/** What a thread is started with. */
export interface ThreadData {
  readonly threads: number;
}

/** How orders get to where they are carried out. */
interface Line {
  send(order: Order): void;
  end(): Promise<unknown>;
}

type Connect = (told: (report: Report) => void, lost: (reason: string) => void) => Line;

/** An engine on `threads` processors, in a thread that is started anew where it dies. */
export function startThreadEngine(threads: number): Promise<Engine> {
  const workerData: ThreadData = { threads };
  return startEngine((told, lost) => {
    const worker = new Worker(new URL('engine-thread.ts', import.meta.url), { workerData });
    worker.on('message', told);
    worker.on('error', (error) => lost(error instanceof Error ? error.message : String(error)));
    worker.on('exit', (code) => lost(`the engine thread ended with ${code}`));
    return { send: (order) => worker.postMessage(order), end: () => worker.terminate() };
  });
}

/** An engine in this very thread, for devices that compute elsewhere. */
export async function startOwnEngine(device: DeviceChoice): Promise<Engine> {
  const mayBeGpu = device === 'auto' || device === 'webgpu';
  const backend = await openBackend(device, { gpu: mayBeGpu ? await openNodeGpu() : undefined });
  return startEngine((told, lost) => {
    void backend.lost.then(lost);
    // An answer never comes before its question has been asked to the end.
    const carryOut = createEngineHost(backend, (report) => setImmediate(told, report));
    setImmediate(told, { type: 'started', device: backend.device.label });
    return { send: carryOut, end: async () => backend.close() };
  });
}

interface Known {
  readonly listener: ModelListener;
  readonly opened: PromiseWithResolvers<void>;
  readonly closed: PromiseWithResolvers<void>;
}

async function startEngine(connect: Connect): Promise<Engine> {
  const models = new Map<string, Known>();
  const started = Promise.withResolvers<string>();
  let isEnding = false;
  let line: Line;

  const told = (report: Report) => {
    if (report.type === 'started') {
      started.resolve(report.device);
      return;
    }
    const known = models.get(report.model);
    switch (report.type) {
      case 'opened':
        known?.opened.resolve();
        return;
      case 'refused':
        models.delete(report.model);
        known?.opened.reject(new EngineFault(report.fault));
        return;
      case 'turn':
        known?.listener.turn(report.turn);
        return;
      case 'broken':
        known?.listener.broken(report.fault);
        return;
      case 'closed':
        models.delete(report.model);
        known?.closed.resolve();
    }
  };
  const join = () => {
    let isLost = false;
    line = connect(told, (reason) => {
      if (isLost || isEnding) return;
      isLost = true;
      const fault: Fault = { code: 'device-lost', message: reason };
      started.reject(new EngineFault(fault));
      for (const [key, known] of models) {
        models.delete(key);
        known.opened.reject(new EngineFault(fault));
        known.closed.resolve();
        known.listener.broken(fault);
      }
      join();
    });
  };
  join();
  const device = await started.promise;
  return {
    device,
    open(model, { listener, ...order }) {
      const known: Known = {
        listener,
        opened: Promise.withResolvers(),
        closed: Promise.withResolvers(),
      };
      models.set(model, known);
      line.send({ type: 'open', model, ...order });
      return known.opened.promise;
    },
    async close(model) {
      const known = models.get(model);
      if (!known) return;
      line.send({ type: 'close', model });
      await known.closed.promise;
    },
    start: (model, sequence) => line.send({ type: 'start', model, sequence }),
    cancel: (model, id) => line.send({ type: 'cancel', model, id }),
    async end() {
      isEnding = true;
      await line.end();
    },
  };
}
