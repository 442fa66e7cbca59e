import { openBackend } from '../../engine/index.ts';
import { wasmThreads } from '../api/device.ts';
import { networkOpener } from './host/open-network.ts';
import { SimulatorHost } from './host/simulator-host.ts';
import type { SimulatorCommand } from './protocol.ts';

const open = networkOpener(() =>
  openBackend('auto', { gpu: navigator.gpu, threads: wasmThreads() }),
);
const host = new SimulatorHost({
  open,
  post: (event, transfer = []) => self.postMessage(event, { transfer }),
  now: () => performance.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
});

self.addEventListener('message', ({ data }: MessageEvent<SimulatorCommand>) => {
  void host.receive(data);
});
