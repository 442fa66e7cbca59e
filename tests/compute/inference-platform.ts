import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { findCheckpoint, readCheckpoint } from '../../compute/checkpoints/checkpoint-folder.ts';
import {
  type InferenceServer,
  type InferenceServerOptions,
  startInferenceServer,
} from '../../compute/inference/inference-server.ts';
import { type InferRequestInput, InferResponse } from '../../edge/inference/contract/infer.ts';
import { ProblemDocument } from '../../edge/contract/problem.ts';
import { createRegistryClient } from '../../edge/registry/contract/client.ts';
import { type CheckpointFiles, registrationOf, unpackTraining } from '../../engine/index.ts';
import { watchOrigin } from '../edge/answer-log.ts';
import { type OwnPlane, startOwnPlane } from './own-plane.ts';
import { ONE_THREAD, runSpikegrid, temporaryFolder } from './spikegrid-process.ts';

/** The platform with a trained model's files, for models to be registered and servers to be started. */
export interface InferencePlatform {
  readonly gateway: string;
  /** A trained model as it lies on disk. */
  readonly files: CheckpointFiles;
  /** The run it lies in. */
  readonly run: string;
  /** Trains another model on the same text, with these flags. */
  train(...flags: readonly string[]): Promise<CheckpointFiles>;
  /** Puts the model into the registry. */
  register(id: string, version?: string, files?: CheckpointFiles): Promise<void>;
  serve(options?: Partial<InferenceServerOptions>): Promise<Served>;
  end(): Promise<void>;
}

/** An inference server and requests to it. */
export interface Served {
  readonly base: string;
  readonly server: InferenceServer;
  ask(request: InferRequestInput, init?: RequestInit): Promise<Response>;
  infer(request: InferRequestInput): Promise<InferResponse>;
  post(path: string, body: unknown): Promise<Response>;
}

const SENTENCES =
  'the quick brown fox jumps over the lazy dog.\nshe sells sea shells by the sea shore.\n';

const DATASET = 'text.txt';

/** A run that every platform begins with, trained once for all of the files that share this process. */
let firstRun: Promise<string> | undefined;

async function trainFirstRun(): Promise<string> {
  const { path, remove } = temporaryFolder();
  process.once('exit', remove);
  const dataset = join(path, DATASET);
  writeFileSync(dataset, SENTENCES.repeat(200));
  const run = join(path, 'run');
  await trainOn(dataset, run, '--preset', 'tiny', '--steps', '20');
  return run;
}

async function trainOn(dataset: string, output: string, ...flags: readonly string[]) {
  const trained = await runSpikegrid(
    ...['train', '--dataset', dataset, '--output', output, ...ONE_THREAD, ...flags],
  );
  expect(trained.code, trained.stderr).toBe(0);
}

/** Starts it around a plane that is there already, or one of its own. */
export async function startInferencePlatform(given?: OwnPlane): Promise<InferencePlatform> {
  const [trained, plane] = await Promise.all([
    (firstRun ??= trainFirstRun()),
    given ?? startOwnPlane(),
  ]);
  const { gateway, folder } = plane;
  const run = join(folder, 'run');
  cpSync(trained, run, { recursive: true });
  const dataset = join(trained, '..', DATASET);
  const filesOf = async (path: string) => readCheckpoint(await findCheckpoint(path));
  const files = await filesOf(run);
  const servers: InferenceServer[] = [];
  let runs = 0;
  return {
    gateway,
    files,
    run,
    async train(...flags) {
      const output = join(folder, `run-${runs++}`);
      await trainOn(dataset, output, ...flags);
      return filesOf(output);
    },
    register: (id, version = '1.0.0', its = files) => register(gateway, { id, version }, its),
    async serve(options = {}) {
      const server = await startInferenceServer({
        ...{ gateway, headers: {}, host: '127.0.0.1', port: 0, auth: 'local', workers: 1 },
        ...{ cacheSize: 5, device: 'wasm' },
        ...options,
        batching: { ...BATCHING, ...options.batching },
      });
      servers.push(server);
      return servedAt(server);
    },
    async end() {
      await Promise.all(servers.map((server) => server.close(0)));
      await plane.end();
    },
  };
}

export const BATCHING: InferenceServerOptions['batching'] = {
  maxBatchSize: 8,
  maxQueueDelayUs: 0,
  maxQueueSize: 64,
  timeout_action: 'reject',
};

async function register(
  gateway: string,
  { id, version }: { readonly id: string; readonly version: string },
  files: CheckpointFiles,
): Promise<void> {
  const registry = createRegistryClient({ base: `${gateway}/registry` });
  const manifest = unpackTraining(files);
  await registry.register(registrationOf(manifest, { id, version, name: id }));
  for (const [filename, bytes] of files) {
    const body = bytes as Uint8Array<ArrayBuffer>;
    await registry.upload({ modelId: id, version, filename, body });
  }
}

function servedAt(server: InferenceServer): Served {
  const base = `http://127.0.0.1:${server.port}`;
  watchOrigin(new URL(base), '/inference');
  const post = (path: string, body: unknown, init: RequestInit = {}) =>
    fetch(base + path, {
      method: 'POST',
      body: JSON.stringify(body),
      ...init,
      headers: { 'content-type': 'application/json', ...init.headers },
    });
  return {
    base,
    server,
    post,
    ask: (request, init) => post('/infer', request, init),
    async infer(request) {
      const answer = await post('/infer', request);
      const text = await answer.text();
      expect(answer.status, text).toBe(200);
      return InferResponse.parse(JSON.parse(text));
    },
  };
}

/** The problem an answer carries. */
export async function problemOf(answer: Response): Promise<ProblemDocument> {
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  return ProblemDocument.parse(await answer.json());
}

/** Asks for so many characters of a model, always the same ones. */
export const asking = (
  model_id: string,
  max_length: number,
  config: InferRequestInput['config'] = {},
): InferRequestInput => ({
  model_id,
  inputs: { text: 'the quick ' },
  config: { max_length, seed: 7, ...config },
});

/** Waits until something holds that is on its way, looking every so often; the machine may be slow. */
export const eventually = (holds: () => Promise<void>, interval = 50) =>
  vi.waitFor(holds, { timeout: 60_000, interval });
