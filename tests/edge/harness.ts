import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { startControlPlane } from '../../compute/launcher/control-plane.ts';
import { ModelDetails, type RegistrationInput } from '../../edge/registry/contract/model.ts';
import { ProblemDocument } from '../../edge/contract/problem.ts';
import { descriptionFiles } from '../../edge/api-description/platform.ts';
import {
  WORKER_SERVICE_NAMES,
  type WorkerServiceName,
} from '../../edge/api-description/services.ts';
import { entrypointNameOf } from '../../edge/gateway/worker-services.ts';
import { watchOrigin } from './answer-log.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Where each service answers. */
type Services = Readonly<Record<WorkerServiceName, URL>>;

/** The Worker in workerd, started by the launcher's own code on free ports, with a state of its own. */
export interface Edge extends Services, AsyncDisposable {
  /** Names of the blobs that lie in the bucket, those of unfinished uploads too. */
  blobs(): readonly string[];
}

export interface EdgeOptions {
  readonly vars?: Readonly<Record<string, unknown>>;
  /** Files of the dashboard by path, beside the descriptions; a page, a script and an icon where it is left out. */
  readonly dashboard?: Readonly<Record<string, string>>;
  /** Takes the caller properties that Cloudflare would provide from the header MF-CF-Blob. */
  readonly isBehindNetwork?: true;
  /** Where it listens; this machine alone can reach it where that is left out. */
  readonly host?: string;
  /** A folder with a state that is kept; one of its own, gone afterwards, where it is left out. */
  readonly stateDir?: string;
}

export async function startEdge(options: EdgeOptions = {}): Promise<Edge> {
  const folder = mkdtempSync(join(tmpdir(), 'spikegrid-edge-'));
  const { plane, ...edge } = await startIn(folder, options);
  return {
    ...edge,
    async [Symbol.asyncDispose]() {
      await plane.dispose();
      rmSync(folder, { recursive: true });
    },
  };
}

/** @param folder for all that it needs beside a state that is kept */
async function startIn(folder: string, options: EdgeOptions) {
  const { vars = {}, dashboard = PLAIN_DASHBOARD, host = '127.0.0.1' } = options;
  const stateDir = options.stateDir ?? join(folder, 'state');
  const plane = await startControlPlane({
    configPath: join(root, 'wrangler.toml'),
    host,
    sockets: WORKER_SERVICE_NAMES.map((name) => ({ entrypoint: entrypointNameOf(name), port: 0 })),
    stateDir,
    dashboardDir: writeFiles(join(folder, 'dashboard'), { ...descriptionFiles(), ...dashboard }),
    ...(options.isBehindNetwork && { isBehindNetwork: true }),
    vars: { AUTH_MODE: 'local', ...vars },
  });
  const services = Object.fromEntries(
    await Promise.all(
      WORKER_SERVICE_NAMES.map(async (name) => [name, await plane.address(entrypointNameOf(name))]),
    ),
  ) as Services;
  watchServices(services);
  return { ...services, plane, blobs: () => blobsIn(stateDir) };
}

function watchServices(services: Services): void {
  for (const name of WORKER_SERVICE_NAMES) {
    watchOrigin(services[name], name === 'gateway' ? '' : `/${name}`);
  }
}

export type SharedEdge = Omit<Edge, typeof Symbol.asyncDispose>;
let shared: Promise<SharedEdge> | undefined;

/**
 * An edge with plain options that the files of a process share, as starting one takes longer than most
 * tests. For tests that look at nothing but what they made under names of their own, and neither end
 * the edge nor use up a limit of it. It ends with its process.
 */
export async function sharedEdge(): Promise<SharedEdge> {
  shared ??= startShared();
  const edge = await shared;
  // The log of answers forgets the services after each file.
  watchServices(edge);
  return edge;
}

async function startShared(): Promise<SharedEdge> {
  const folder = mkdtempSync(join(tmpdir(), 'spikegrid-shared-edge-'));
  // Miniflare ends workerd with the process.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return startIn(folder, {});
}

export const PLAIN_DASHBOARD = {
  'index.html': '<!doctype html><title>spikegrid</title>',
  'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'assets/main-1a2b3c.js': 'document.title += "!";',
  'assets/plugin-sandbox-1a2b3c.js': 'postMessage(1);',
};

function writeFiles(folder: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

function blobsIn(stateDir: string): readonly string[] {
  try {
    return readdirSync(join(stateDir, 'r2/spikegrid-files/blobs'));
  } catch (error) {
    // Nothing was ever written.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

export const tiny: RegistrationInput = {
  model_id: 'tiny',
  name: 'Tiny',
  version: '1.0.0',
  model_type: 'language',
  framework: 'spikegrid',
  created_at: '2026-11-20T10:00:00Z',
};

export function postJson(url: URL | string, body: unknown): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** The problem an answer carries, with the things true of every problem document checked. */
export async function problemOf(answer: Response): Promise<ProblemDocument> {
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  const problem = ProblemDocument.parse(await answer.json());
  expect(problem.status).toBe(answer.status);
  expect(problem.type).toBe(`/problems/${problem.code}`);
  expect(answer.headers.get('traceparent')).toContain(problem.trace_id);
  return problem;
}

/** Registers a model of this id and returns where its files go; a test that runs again finds it there. */
export async function registerModel(base: URL, modelId: string): Promise<string> {
  const answer = await postJson(new URL('/models/register', base), { ...tiny, model_id: modelId });
  expect([200, 201]).toContain(answer.status);
  return `${base.origin}/models/${modelId}`;
}

export interface RawUpload {
  readonly filename: string;
  readonly version?: string;
  readonly digest?: string;
}

/** Uploads bytes as they are to a model's address. */
export function upload(
  model: string,
  claim: RawUpload,
  body: NonNullable<RequestInit['body']>,
): Promise<Response> {
  const query = new URLSearchParams({ version: '1.0.0', ...claim });
  return fetch(`${model}/upload?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body,
  });
}

/** Pseudo-random bytes that are the same on every run. */
export function bytesOf(size: number, seed: number): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(Math.ceil(size / 4));
  let state = seed >>> 0 || 1;
  for (let i = 0; i < words.length; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[i] = state;
  }
  return new Uint8Array(words.buffer, 0, size);
}

export const sha256 = (bytes: Uint8Array): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** The files a model shows, and its status. */
export async function filesOf(model: string): Promise<Pick<ModelDetails, 'files' | 'status'>> {
  const { files, status } = ModelDetails.parse(await (await fetch(model)).json());
  return { files, status };
}
