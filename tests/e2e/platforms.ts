import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Fixtures } from 'playwright/test';
import { sendDataset } from '../../trainer/send-dataset.ts';
import { dashboardFolder, partsFolder } from './build-pages.ts';
import { ALONE, type GatewayProcess, startGateway } from './gateway-process.ts';
import { registerModels } from './models.ts';
import { startSpikegrid } from './spikegrid.ts';
import { inferenceReady, registerTextModel, TEXT } from './text-models.ts';

export interface ClosedPlatform {
  readonly url: string;
  /** The key that its first start has made. */
  readonly key: string;
}

export interface WholePlatform {
  readonly gateway: GatewayProcess;
  /** Starts a trainer of this name, and waits until it asks for work. */
  startTrainer(name: string): ReturnType<typeof startSpikegrid>;
}

/**
 * Each is made when a test first asks for it, and kept for all tests after it: tests with others than
 * these would get a browser and platforms of their own.
 */
export interface WorkerFixtures {
  /** The folder of the dashboard, built from web/ as it is now. */
  readonly build: string;
  /** A platform with models in its registry. */
  readonly platform: GatewayProcess;
  /** A platform as it is after the first start. */
  readonly emptyPlatform: GatewayProcess;
  /** A platform for tests that register models of their own. */
  readonly platformToFill: GatewayProcess;
  /** A platform that asks everybody for credentials. */
  readonly closedPlatform: ClosedPlatform;
  /** A platform without any trainer, with the dataset `whale.txt`. */
  readonly lonely: GatewayProcess;
  /** A platform with a model that was trained a little, and an inference service that answers. */
  readonly answering: GatewayProcess;
  /** A platform that answers from its models, and trains on the trainers that are started for it. */
  readonly whole: WholePlatform;
  /** A page with parts of the dashboard, under the same policy as the dashboard. */
  readonly partsPage: GatewayProcess;
}

export const platforms: Fixtures<object, WorkerFixtures> = {
  build: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads from it what a fixture needs
    async ({}, use) => {
      await use(dashboardFolder());
    },
    { scope: 'worker' },
  ],
  platform: [
    async ({ build }, use) => {
      const start = async (gateway: GatewayProcess) => {
        await registerModels(gateway.url);
        await use(gateway);
      };
      await withGateway(build, start, ALONE);
    },
    { scope: 'worker' },
  ],
  emptyPlatform: [
    async ({ build }, use) => {
      await withGateway(build, use, ALONE);
    },
    { scope: 'worker' },
  ],
  platformToFill: [
    async ({ build }, use) => {
      await withGateway(build, use, ['--no-inference', '--no-plugins']);
    },
    { scope: 'worker' },
  ],
  closedPlatform: [
    async ({ build }, use) => {
      const start = async ({ url, firstKey }: GatewayProcess) => use({ url, key: firstKey() });
      await withGateway(build, start, [...ALONE, '--auth', 'required']);
    },
    { scope: 'worker' },
  ],
  lonely: [
    async ({ build }, use) => {
      const start = async (gateway: GatewayProcess) => {
        const training = { base: `${gateway.url}/training`, headers: {} };
        await sendDataset(training, { name: 'whale.txt', file: new Blob([TEXT]) });
        await use(gateway);
      };
      await withGateway(build, start, ALONE);
    },
    { scope: 'worker' },
  ],
  answering: [
    async ({ build }, use) => {
      const start = async (gateway: GatewayProcess) => {
        await Promise.all([registerTextModel(gateway.url), inferenceReady(gateway.url)]);
        await use(gateway);
      };
      await withGateway(build, start, ['--no-trainer', '--no-plugins']);
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  whole: [
    async ({ build }, use) => {
      const start = (gateway: GatewayProcess) => withTrainers(gateway, use);
      await withGateway(build, start, ['--no-trainer', '--no-plugins']);
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  partsPage: [
    // eslint-disable-next-line no-empty-pattern -- as above
    async ({}, use) => {
      await withGateway(partsFolder(), use, ALONE);
    },
    { scope: 'worker' },
  ],
};

/** A platform for as long as it is used. */
export async function withGateway(
  dashboard: string,
  use: (gateway: GatewayProcess, state: string) => Promise<void>,
  options: readonly string[],
): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), 'spikegrid-state-'));
  const gateway = await startGateway(dashboard, state, options);
  try {
    await use(gateway, state);
  } finally {
    await gateway.stop();
    rmSync(state, { recursive: true });
  }
}

/** Lets trainers be started for a platform, and ends those that are left. */
async function withTrainers(
  gateway: GatewayProcess,
  use: (whole: WholePlatform) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'spikegrid-whole-'));
  const data = join(folder, 'data');
  mkdirSync(data);
  const trainers: Awaited<ReturnType<typeof startSpikegrid>>[] = [];
  await use({
    gateway,
    async startTrainer(name) {
      const roots = ['--data', data, '--output', join(folder, name)];
      const device = ['--device', 'wasm', '--threads', '1'];
      const lent = ['--gateway', gateway.url, '--name', name, ...roots, ...device];
      const trainer = await startSpikegrid('waiting for work', 'trainer', ...lent);
      trainers.push(trainer);
      return trainer;
    },
  });
  for (const trainer of trainers) {
    if (trainer.exitCode !== null || trainer.signalCode !== null) continue;
    trainer.kill('SIGTERM');
    await once(trainer, 'exit');
  }
  rmSync(folder, { recursive: true });
}
