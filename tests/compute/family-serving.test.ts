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

const FIELDS = {
  standard_transformer: { d_model: 16, n_heads: 2, num_blocks: 1, seq_len: 12 },
  // Width 24: spikes of two experts side by side do not fill whole words.
  sparse_event_memory: {
    ...{ d_model: 24, num_blocks: 2, seq_len: 12, density: 0.2, codebook_rank: 8 },
    ...{ experts: 3, top_k: 2, adapter_rank: 2 },
  },
} as const;
type Served = keyof typeof FIELDS;

/** The files of a small model that has learned a little. */
async function checkpointFiles(
  backend: Backend,
  architecture: Served,
): Promise<Order & { readonly type: 'open' }> {
  const settings = {
    architecture,
    fields: FIELDS[architecture],
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
  return { type: 'open', model: 'small', files, slots: 2, warmup: true };
}

const FAMILIES = ['standard_transformer', 'sparse_event_memory'] as const;

describe('an engine of the inference server', () => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await openBackend('wasm', { gpu: undefined, threads: 1 });
  });
  afterAll(() => backend.close());

  it.each(FAMILIES)('writes with %s, one text beside another as alone', async (architecture) => {
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
      host({ type: 'start', model: 'small', work: { id, prompt, ...rest } });
    };

    host(await checkpointFiles(backend, architecture));
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
    const [first, ...others] = ended();
    for (const { spikes } of others) expect(spikes).toEqual(first!.spikes);
    expect(ended().map(({ reason }) => reason)).toEqual(['length', 'length', 'length']);
    expect(first!.spikes.denseMacs).toBeGreaterThan(0);
    // Floats have no spikes; each event reaches a fifth of 24 neurons, and is shown once.
    const isSparse = architecture === 'sparse_event_memory';
    expect(first!.spikes.synapticOps).toBe(5 * first!.spikes.total);
    expect(first!.spikes.total > 0).toBe(isSparse);
    const shown = others[1]!.raster?.flatMap(({ rows }) => [...rows]) ?? [];
    expect(shown.reduce((sum, word) => sum + bitsOf(word), 0)).toBe(first!.spikes.total);
    expect(ended().map(({ batch }) => batch)).toEqual([2, 2, 1]);
  });
});

function bitsOf(word: number): number {
  let bits = 0;
  for (let rest = word; rest !== 0; rest &= rest - 1) bits += 1;
  return bits;
}
