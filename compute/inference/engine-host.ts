import {
  type Backend,
  EngineError,
  isClassSpec,
  openBatchedModel,
  openClassModel,
  type StoredModel,
  textModelOf,
  unpackModel,
} from '../../engine/index.ts';
import { BatchLoop, type BatchLoopListener } from './batch-loop.ts';
import { ClassLoop } from './class-loop.ts';
import type { Fault, NumberedWork, Order, Report } from './engine-messages.ts';

/** A model at work. */
interface Hosted {
  start(work: NumberedWork): void;
  cancel(id: number): void;
  close(): Promise<void>;
}

/** Carries out orders on one device: in a thread of its own, or beside the server. */
export function createEngineHost(backend: Backend, tell: (report: Report) => void) {
  const hosted = new Map<string, Hosted>();

  async function open(order: Extract<Order, { type: 'open' }>): Promise<void> {
    const { model: key, ...options } = order;
    const listener: BatchLoopListener = {
      turn: (turn) => tell({ type: 'turn', model: key, turn }),
      broken: (error) => tell({ type: 'broken', model: key, fault: faultOf(error) }),
    };
    const stored = unpackModel(order.files);
    const hostIt = isClassSpec(stored.spec) ? hostClasses : hostText;
    hosted.set(key, await hostIt(backend, stored, { ...options, listener }));
    tell({ type: 'opened', model: key });
  }

  async function close(key: string): Promise<void> {
    const known = hosted.get(key);
    hosted.delete(key);
    await known?.close();
    tell({ type: 'closed', model: key });
  }

  return (order: Order): void => {
    const { model } = order;
    switch (order.type) {
      case 'open':
        open(order).catch((error: unknown) =>
          tell({ type: 'refused', model, fault: faultOf(error) }),
        );
        return;
      case 'close':
        void close(model);
        return;
      case 'start':
        hosted.get(model)?.start(order.work);
        return;
      case 'cancel':
        hosted.get(model)?.cancel(order.id);
    }
  };
}

interface HostOptions {
  readonly slots: number;
  readonly warmup: boolean;
  readonly listener: BatchLoopListener;
}

async function hostText(
  backend: Backend,
  stored: StoredModel,
  { slots, warmup, listener }: HostOptions,
): Promise<Hosted> {
  const { tokenizer } = textModelOf(stored);
  const model = await openBatchedModel(backend, stored, { slots });
  if (warmup) {
    await model.read([{ slot: 0, token: 0 }]);
    model.clear(0);
  }
  const loop = new BatchLoop(model, tokenizer, listener);
  return {
    start(work) {
      if (!('prompt' in work)) throw new Error('a model of text is given a picture or a sound');
      loop.start(work);
    },
    cancel: (id) => loop.cancel(id),
    async close() {
      await loop.close();
      model.close();
    },
  };
}

/** Nothing is warmed up: the programs are loaded, and an answer is one play. */
async function hostClasses(
  backend: Backend,
  stored: StoredModel,
  { listener }: HostOptions,
): Promise<Hosted> {
  const model = await openClassModel(backend, stored);
  const loop = new ClassLoop(model, listener);
  return {
    start(work) {
      if (!('media' in work)) throw new Error('a model of pictures or sounds is given a text');
      loop.start(work);
    },
    cancel: (id) => loop.cancel(id),
    async close() {
      await loop.close();
      model.close();
    },
  };
}

function faultOf(error: unknown): Fault {
  return {
    code: error instanceof EngineError ? error.code : undefined,
    message: error instanceof Error ? error.message : String(error),
  };
}
