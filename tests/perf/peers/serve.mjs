import { openNodeGpu } from '../../../compute/gpu/node-gpu.ts';

/**
 * Answers each message of the parent with the milliseconds that `work` took, or with why it cannot run.
 * @param {() => Promise<() => Promise<{ ms: number, loss?: number }>>} open
 */
export function serve(open) {
  /** @type {Promise<() => Promise<{ ms: number, loss?: number }>> | undefined} */
  let opened;
  process.on('message', async () => {
    try {
      opened ??= open();
      const work = await opened;
      process.send?.(await work());
    } catch (error) {
      process.send?.({ error: error instanceof Error ? error.message : String(error) });
    }
  });
  process.on('disconnect', () => process.exit(0));
}

/** Gives Node the `navigator.gpu` of a browser, on the adapter that the environment names. */
export async function provideGpu() {
  const gpu = await openNodeGpu();
  Object.defineProperty(navigator, 'gpu', { value: gpu, configurable: true });
}
