import { parentPort, workerData } from 'node:worker_threads';
import { openBackend } from '../../engine/index.ts';
import { createEngineHost } from './engine-host.ts';
import type { ThreadData } from './engine.ts';
import type { Order, Report } from './engine-messages.ts';

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
