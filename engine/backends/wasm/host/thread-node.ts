import { parentPort, workerData } from 'node:worker_threads';
import { serve } from '../thread.ts';

serve(workerData, () => parentPort?.postMessage('ready'));
