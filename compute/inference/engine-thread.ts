import { parentPort, workerData } from 'node:worker_threads';
import '../process/direct-imports.ts';
import type { ThreadData } from './engine.ts';
import type { Order, Report } from './engine-messages.ts';

const { openBackend } = await import('../../engine/index.ts');
const { createEngineHost } = await import('./engine-host.ts');

/** A thread that computes; the server stays free to answer meanwhile. */
const port = parentPort;
if (!port) throw new Error('engine-thread.ts runs in a worker thread');
// Structured cloning takes what the server put in.
const { threads } = workerData as ThreadData;
const backend = await openBackend('wasm', { gpu: undefined, threads });
const tell = (report: Report) => port.postMessage(report);
const carryOut = createEngineHost(backend, tell);
port.on('message', (order: Order) => carryOut(order));
tell({ type: 'started', device: backend.device.label });
