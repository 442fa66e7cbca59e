import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { OpenApiDocument } from '../../edge/api-description/document.ts';
import { watchOrigin } from '../edge/answer-log.ts';
import { judgeBy, operationsIn, responseOf } from '../edge/openapi-schemas.ts';
import {
  bodyFault,
  type ExampleSender,
  exampleSender,
  otherMethods,
} from '../edge/property-answers.ts';
import { exampleOf, requestsOf } from '../edge/property-requests.ts';
import { runsOf } from './property-runs.ts';
import { sendRaw } from '../edge/raw-http.ts';
import { type InferencePlatform, startInferencePlatform } from './inference-platform.ts';
import { type Running, startSpikegrid } from './spikegrid-process.ts';

/** Of each operation. */
const RUNS = runsOf(15);
const SEED = 5;

/** Each service of Node as the command line starts it, and what it says once it listens. */
const SERVICES = {
  inference: { command: 'serve', flags: ['--device', 'wasm', '--workers', '1'] },
  'plugin-host': { command: 'plugin-host', flags: [] },
  'test-host': { command: 'test-host', flags: [] },
  'training-server': { command: 'training-server', flags: ['--threads', '1'] },
} as const;
type Name = keyof typeof SERVICES;

let platform: InferencePlatform;
beforeAll(async () => {
  platform = await startInferencePlatform();
  await platform.register('tiny');
});
afterAll(() => platform.end());

async function start(name: Name): Promise<{ readonly base: URL; readonly running: Running }> {
  const { command, flags } = SERVICES[name];
  const own = join(platform.run, '..', name);
  const places: Readonly<Record<Name, readonly string[]>> = {
    inference: [],
    'plugin-host': ['--plugins', own],
    'test-host': ['--runs', own],
    'training-server': ['--data', own, '--output', own],
  };
  const to = ['--gateway', platform.gateway, '--host', '127.0.0.1', '--port', '0'];
  const running = startSpikegrid([command, ...to, ...flags, ...places[name]]);
  const pattern = /(http:\/\/127\.0\.0\.1:\d+)/g;
  const isAddress = () =>
    Array.from(running.output().matchAll(pattern), ([url]) => url).find(
      (url) => url !== platform.gateway,
    );
  const address = await vi.waitUntil(isAddress, { timeout: 60_000 });
  return { base: new URL(address), running };
}

describe.each(Object.keys(SERVICES) as readonly Name[])('the %s', (name) => {
  let base: URL;
  let running: Running;
  let document: OpenApiDocument;
  let sender: ExampleSender;
  beforeAll(async () => {
    ({ base, running } = await start(name));
    document = (await (await fetch(new URL('/openapi.json', base))).json()) as OpenApiDocument;
    watchOrigin(base, name === 'training-server' ? '/lm-training' : `/${name}`);
    const judge = judgeBy(document, { closed: true });
    const world = { translate: <T>(request: T) => request } as never;
    sender = exampleSender({ document, judge, base }, world);
  });
  afterAll(async () => {
    running.process.kill('SIGTERM');
    await running.ended;
  });

  it('answers each example as documented', async () => {
    const checked = [];
    for (const described of operationsIn(document)) checked.push(await sender.send(described));

    expect(checked.map(({ fault }) => fault).filter(Boolean)).toEqual([]);
  });

  it('responds to any request as documented, and executes none of another form', async () => {
    const faults: string[] = [];
    const judge = judgeBy(document, { closed: false });
    for (const described of operationsIn(document)) {
      const answered = fc.asyncProperty(requestsOf(document, described), async (request) => {
        const { fault, answer } = await sender.send(described, request);
        if (fault !== '') throw new Error(fault);
        const wrong = answer.ok ? bodyFault(judge, described, request) : '';
        if (wrong !== '')
          throw new Error(`${described.id} takes ${String(request.body)}: ${wrong}`);
      });
      const { errorInstance } = await fc.check(answered, {
        numRuns: RUNS,
        seed: SEED,
        endOnFailure: true,
      });
      if (errorInstance) faults.push(String(errorInstance));
    }

    expect(faults).toEqual([]);
  });

  it('refuses other methods, and says which there are', async () => {
    const faults: string[] = [];
    for (const { method, target } of otherMethods(document)) {
      const head = `${method} ${target} HTTP/1.1\r\nHost: ${base.host}\r\nConnection: close\r\n\r\n`;
      const { status, text } = await sendRaw(base, head);
      if (status !== 405 || !/^allow: \S/im.test(text))
        faults.push(`${method} ${target}: ${status}`);
    }

    expect(faults).toEqual([]);
  });

  it('refuses names that no operation knows', async () => {
    const taking = operationsIn(document).filter(({ method }) => method === 'GET');
    const statuses = await Promise.all(
      taking.map(async (described) => {
        const path = `${exampleOf(described).path.split('?')[0]}?unknown=1`;
        const answer = await fetch(new URL(path, base));
        await answer.body?.cancel();
        return `${described.id} ${answer.status} ${responseOf(document, described, answer.status) ? '' : 'not documented'}`;
      }),
    );

    expect(statuses).toEqual(taking.map(({ id }) => `${id} 400 `));
  });
});
