import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngineHost } from '../../compute/inference/engine-host.ts';
import type { Ended, Order, Report } from '../../compute/inference/engine-messages.ts';
import {
  type Backend,
  blobSource,
  loadFamily,
  openBackend,
  singleFile,
  stableBaseline,
} from '../../engine/index.ts';

const TEXT = 'the whale swims and the sailor sings '.repeat(20);
/** Longer than the places of the model. */
const WRITTEN = 30;

/** The files of a small transformer that has learned a little. */
async function checkpointFiles(backend: Backend): Promise<Order & { readonly type: 'open' }> {
  const architecture = 'standard_transformer';
  const settings = {
    architecture,
    fields: { d_model: 16, n_heads: 2, num_blocks: 1, seq_len: 12 },
    batch: 4,
    learningRate: 0.02,
    seed: 1,
    budget: { kind: 'steps', steps: 30 },
  } as const;
  const family = await loadFamily(architecture);
  const source = blobSource(new Blob([TEXT]), 'whale.txt');
  const data = await family.openData(singleFile(source), settings);
  const run = await family.createRun({ backend, settings, controls: stableBaseline }, data);
  await run.advance(30);
  const files = await run.checkpoint();
  run.close();
  return { type: 'open', model: 'float', files, slots: 2, warmup: true };
}

describe('an engine of the inference server', () => {
  let backend: Backend;
  let order: Order;
  beforeAll(async () => {
    backend = await openBackend('wasm', { gpu: undefined, threads: 1 });
    order = await checkpointFiles(backend);
  });
  afterAll(() => backend.close());

  it('writes with a float transformer, one text beside another as alone', async () => {
    const reports: Report[] = [];
    const waiting: (() => void)[] = [];
    const host = createEngineHost(backend, (report) => {
      reports.push(report);
      for (const wake of waiting.splice(0)) wake();
    });
    const until = async (isThere: () => boolean) => {
      while (!isThere()) {
        expect(reports.filter(({ type }) => type === 'refused' || type === 'broken')).toEqual([]);
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    };
    const turns = () => reports.flatMap((report) => (report.type === 'turn' ? [report.turn] : []));
    const ended = (): Ended[] => turns().flatMap((turn) => turn.ended);
    const sampling = { temperature: 0, topK: 0, topP: 1, seed: 1 };
    const start = (id: number) => {
      const prompt = Uint32Array.of(3, 1, 4, 1, 5);
      const rest = { most: WRITTEN, sampling, stops: [], isStreamed: false, hasRaster: id === 3 };
      host({ type: 'start', model: 'float', sequence: { id, prompt, ...rest } });
    };

    host(order);
    await until(() => reports.some(({ type }) => type === 'opened'));
    start(1);
    await until(() => turns().length >= 4);
    start(2);
    await until(() => ended().length === 2);
    start(3);
    await until(() => ended().length === 3);

    const texts = [1, 2, 3].map((id) =>
      turns()
        .flatMap((turn) => turn.written)
        .filter((written) => written.id === id)
        .map((written) => ({ ...written, id: 0 })),
    );
    expect(texts[0]).not.toHaveLength(0);
    expect(texts[1]).toEqual(texts[0]);
    expect(texts[2]).toEqual(texts[0]);
    for (const { reason, spikes } of ended()) {
      expect(reason).toBe('length');
      expect(spikes).toMatchObject({ total: 0, synapticOps: 0, rate: 0 });
      expect(spikes.denseMacs).toBeGreaterThan(0);
    }
    expect(ended().map(({ batch }) => batch)).toEqual([2, 2, 1]);
  });
});
