import { zipSync } from 'fflate';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createRegistryClient } from '../../../edge/registry/contract/client.ts';
import {
  type CheckpointFiles,
  loadFamily,
  memorySource,
  openBackend,
  singleFile,
  stableBaseline,
} from '../../../engine/index.ts';
import { createEvaluationHost } from '../../../web/evaluation/evaluation-host.ts';
import type { EvaluationRequest, EvaluationEvent } from '../../../web/evaluation/protocol.ts';
import type { PlacedFile } from '../../../web/ui/dropped-files.ts';
import { SETTINGS, TEXT } from '../lab/lab-host.ts';

const placed = (path: string, content: BlobPart): PlacedFile => ({
  path,
  file: new File([content], path.slice(path.lastIndexOf('/') + 1)),
});

const text = placed('cats.txt', TEXT);
let files: CheckpointFiles;
let checkpoint: readonly PlacedFile[];

beforeAll(async () => {
  const backend = await openBackend('reference', { gpu: undefined });
  const family = await loadFamily(SETTINGS.architecture);
  const source = memorySource('cats.txt', new TextEncoder().encode(TEXT));
  const data = await family.openData(singleFile(source), SETTINGS);
  const run = await family.createRun(
    { backend, settings: SETTINGS, controls: stableBaseline },
    data,
  );
  files = await run.checkpoint();
  run.close();
  checkpoint = Array.from(files, ([name, bytes]) =>
    placed(`run/${name}`, bytes as Uint8Array<ArrayBuffer>),
  );
});

/** The worker's side, with the real engine, and what it said. */
function startHost() {
  const said: EvaluationEvent[] = [];
  let clock = 0;
  let onEvent: (event: EvaluationEvent) => void = () => undefined;
  const host = createEvaluationHost({
    post(event) {
      said.push(structuredClone(event));
      onEvent(event);
    },
    openBackend: () => openBackend('wasm', { gpu: undefined, threads: 1 }),
    registry: createRegistryClient({ base: '/registry' }),
    // So slow that all of the progress is announced.
    now: () => (clock += 1000),
    date: () => new Date('2026-11-21T12:00:00Z'),
  });
  onTestFinished(() => host.close());
  const request = (changes: Partial<EvaluationRequest>) =>
    host.receive({
      kind: 'evaluate',
      request: {
        model: { kind: 'files', name: 'run', files: checkpoint },
        data: [text],
        choice: { split: 'validation', streams: 1 },
        device: 'wasm',
        ...changes,
      },
    });
  return {
    host,
    said,
    request,
    hear: (listener: typeof onEvent) => (onEvent = listener),
    report: () => said.flatMap((event) => (event.kind === 'report' ? event.report : []))[0],
    states: () => said.flatMap((event) => (event.kind === 'state' ? event.state.status : [])),
  };
}

describe('the evaluation in a worker', () => {
  it('judges the files of a folder by a dropped text', async () => {
    const { request, report, states } = startHost();
    await request({});

    expect(report()).toMatchObject({
      status: 'complete',
      created_at: '2026-11-21T12:00:00.000Z',
      total: 102,
      model: { name: 'run', architecture: 'dense_chronospike' },
      data: { name: 'cats.txt', split: 'validation' },
      memory: { process_peak: null },
    });
    expect(report()?.language?.nats_per_character).toBeGreaterThan(1);
    expect([...new Set(states())]).toEqual(['opening', 'running', 'idle']);
  });

  it('says the same of a zip file, and of a text in one', async () => {
    const [folder, zipped] = [startHost(), startHost()];
    const model = placed('run.zip', zipSync(Object.fromEntries(files)) as Uint8Array<ArrayBuffer>);
    const data = placed(
      'cats.zip',
      zipSync({ 'cats.txt': new TextEncoder().encode(TEXT) }) as Uint8Array<ArrayBuffer>,
    );
    await folder.request({});
    await zipped.request({
      model: { kind: 'files', name: 'run.zip', files: [model] },
      data: [data],
    });

    expect(zipped.report()?.language).toEqual(folder.report()?.language);
    expect(zipped.report()?.model.artifact_sha256).toBe(folder.report()?.model.artifact_sha256);
  });

  it('leaves out what the alphabet of the model lacks, and counts it', async () => {
    const [plain, mixed] = [startHost(), startHost()];
    await plain.request({});
    await mixed.request({ data: [placed('cats.txt', `猫${TEXT}猫`)] });

    expect(mixed.report()?.data.unknown_characters).toBe(2);
    expect(mixed.report()?.language).toEqual(plain.report()?.language);
  });

  it('announces a partial report when it is stopped, and can run again', async () => {
    const { host, request, hear, report, said } = startHost();
    const long = placed('long.txt', TEXT.repeat(200));
    hear((event) => {
      if (event.kind === 'state' && event.state.status === 'running')
        void host.receive({ kind: 'stop' });
    });
    await request({ data: [long], choice: { split: 'all', streams: 1 } });
    expect(report()).toBeUndefined();

    hear((event) => {
      const isOnItsWay =
        event.kind === 'state' && event.state.status === 'running' && event.state.progress.done > 0;
      if (isOnItsWay) void host.receive({ kind: 'stop' });
    });
    await request({ data: [long], choice: { split: 'all', streams: 1 } });
    expect(report()).toMatchObject({ status: 'partial', total: 203_999 });
    expect(report()!.done).toBeGreaterThan(0);
    expect(report()!.done).toBeLessThan(203_999);
    expect(said.at(-1)).toEqual({ kind: 'state', state: { status: 'idle' } });
  });

  it.each<[string, () => Partial<EvaluationRequest>, string]>([
    [
      'half of a checkpoint',
      () => ({ model: { kind: 'files', name: 'run', files: checkpoint.slice(0, 2) } }),
      'checkpoint-missing',
    ],
    ['nothing but another alphabet', () => ({ data: [placed('ja.txt', '猫')] }), 'text-too-short'],
    ['no data', () => ({ data: [] }), 'dataset-invalid'],
  ])('refuses %s', async (_, changes, code) => {
    const { request, said } = startHost();
    await request(changes());

    expect(said.at(-1)).toMatchObject({
      state: { status: 'failed', failure: { kind: 'engine', code } },
    });
  });
});
