import {
  type Backend,
  EngineError,
  openBatchedModel,
  textModelOf,
  unpackModel,
} from '../../engine/index.ts';
import { BatchLoop } from './batch-loop.ts';
import type { Fault, Order, Report } from './engine-messages.ts';

interface Hosted {
  readonly loop: BatchLoop;
  close(): Promise<void>;
}

/** Carries out orders on one device: in a thread of its own, or beside the server. */
export function createEngineHost(backend: Backend, tell: (report: Report) => void) {
  const hosted = new Map<string, Hosted>();

  async function open(order: Extract<Order, { type: 'open' }>): Promise<void> {
    const { model: key, slots, warmup } = order;
    const stored = textModelOf(unpackModel(order.files));
    const model = await openBatchedModel(backend, stored, { slots });
    if (warmup) {
      await model.read([{ slot: 0, token: 0 }]);
      model.clear(0);
    }
    const loop = new BatchLoop(model, stored.tokenizer, {
      turn: (turn) => tell({ type: 'turn', model: key, turn }),
      broken: (error) => tell({ type: 'broken', model: key, fault: faultOf(error) }),
    });
    hosted.set(key, {
      loop,
      async close() {
        await loop.close();
        model.close();
      },
    });
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
        hosted.get(model)?.loop.start(order.sequence);
        return;
      case 'cancel':
        hosted.get(model)?.loop.cancel(order.id);
    }
  };
}

function faultOf(error: unknown): Fault {
  return {
    code: error instanceof EngineError ? error.code : undefined,
    message: error instanceof Error ? error.message : String(error),
  };
}
