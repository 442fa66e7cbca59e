import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEvents } from '../../edge/contract/event-stream.ts';
import { BatchResponse, InferChunk, InferResponse } from '../../edge/inference/contract/infer.ts';
import { ProblemDocument } from '../../edge/contract/problem.ts';
import { openLanguageModel, unpackModel } from '../../engine/index.ts';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { readMetrics } from '../edge/exposition-lint.ts';
import {
  asking,
  type InferencePlatform,
  problemOf,
  type Served,
  startInferencePlatform,
} from './inference-platform.ts';

let platform: InferencePlatform;
let served: Served;
beforeAll(async () => {
  platform = await startInferencePlatform();
  await platform.register('fox');
  served = await platform.serve();
});
afterAll(() => platform.end());

/** Text that the engine generates directly, without the service. */
async function generated(
  prompt: string,
  tokens: number,
  seed: number,
  files = platform.files,
): Promise<string> {
  const backend = await openWasmBackend({ threads: 1 });
  const model = await openLanguageModel(backend, unpackModel(files));
  let text = '';
  const sampling = { temperature: 0.8, topK: 0, topP: 1, seed };
  for await (const piece of model.generate({ prompt, tokens, ...sampling })) text += piece;
  model.close();
  return text;
}

async function eventsOf(answer: Response) {
  const events = [];
  for await (const event of readEvents(answer)) events.push(event);
  return events;
}

describe('GET /metrics', () => {
  it('shows what the server measures, on its own port', async () => {
    const { usage } = await served.infer(asking('fox', 5));

    const text = await readMetrics(served.base);

    const [, tokens] = /^inference_tokens_total\{service="inference"\} (\d+)$/m.exec(text) ?? [];
    expect(Number(tokens)).toBeGreaterThanOrEqual(usage.completion_tokens);
    expect(text).toMatch(/^http_requests_total\{method="POST",route="\/infer",status="2xx"/m);
  });
});

describe('POST /infer', () => {
  it('writes the very text of the engine, and says what it cost', async () => {
    const answer = await served.infer(asking('fox', 30));

    expect(answer.outputs.text).toBe(await generated('the quick ', 30, 7));
    expect(answer).toMatchObject({
      model_id: 'fox',
      model_version: '1.0.0',
      usage: { prompt_tokens: 10, completion_tokens: 30, total_tokens: 40 },
      finish_reason: 'length',
      batch: { size: 1 },
      seed: 7,
    });
    const { timing, spikes } = answer;
    expect(timing.total_ms).toBeGreaterThanOrEqual(timing.compute_ms);
    expect(timing.compute_ms).toBeGreaterThan(0);
    expect(spikes.total).toBeGreaterThan(0);
    expect(spikes.synaptic_ops).toBeGreaterThan(spikes.total!);
    expect(spikes.energy.compute_pj).toBeLessThan(spikes.energy.with_memory_pj);
  });

  it('rule 5: writes the very text of another structure and tokens, up to a stop within one', async () => {
    const files = await platform.train(
      ...['--tokenizer', 'bpe', '--vocab-size', '300', '--steps', '20'],
      // Sizes that no preset and no other model here has.
      ...['--d-model', '24', '--time-steps', '3'],
    );
    await platform.register('fox-bpe', '1.0.0', files);

    const { outputs, usage } = await served.infer(asking('fox-bpe', 40));
    const whole = await generated('the quick ', 40, 7, files);
    expect(outputs.text).toBe(whole);
    expect(usage.completion_tokens).toBe(40);
    expect(usage.prompt_tokens).toBeLessThan(10);
    const stop = whole.slice(12, 14);
    const stopped = await served.infer(asking('fox-bpe', 40, { stop: [stop] }));
    expect(stopped.outputs.text).toBe(whole.slice(0, whole.indexOf(stop)));
    expect(stopped.finish_reason).toBe('stop');
  });

  it('draws another seed each time where none is given, and reports it', async () => {
    const { seed: _, ...config } = asking('fox', 20).config ?? {};
    const first = await served.infer({ ...asking('fox', 20), config });
    const again = await served.infer(asking('fox', 20, { seed: first.seed }));

    expect(again.outputs.text).toBe(first.outputs.text);
  });

  it('reads requests that come together in one batch, each with the text it gets alone', async () => {
    const seeds = [1, 2, 3, 4, 5];
    const alone = [];
    for (const seed of seeds) alone.push(await served.infer(asking('fox', 400, { seed })));
    const together = await Promise.all(
      seeds.map((seed) => served.infer(asking('fox', 400, { seed }))),
    );

    expect(together.map(({ outputs }) => outputs.text)).toEqual(
      alone.map(({ outputs }) => outputs.text),
    );
    expect(together.map(({ spikes }) => spikes)).toEqual(alone.map(({ spikes }) => spikes));
    expect(Math.max(...together.map(({ batch }) => batch.size))).toBeGreaterThan(1);
  });

  it('ends before a stop sequence', async () => {
    const whole = await served.infer(asking('fox', 40));
    const stop = whole.outputs.text.slice(10, 13);
    const end = whole.outputs.text.indexOf(stop);

    const stopped = await served.infer(asking('fox', 40, { stop: ['Ω', stop] }));

    expect(stopped.outputs.text).toBe(whole.outputs.text.slice(0, end));
    expect(stopped).toMatchObject({ finish_reason: 'stop', usage: { completion_tokens: end } });
  });

  it('reads a prompt and generates nothing where no tokens are requested', async () => {
    const answer = await served.infer(asking('fox', 0));

    expect(answer).toMatchObject({ outputs: { text: '' }, finish_reason: 'length' });
    expect(answer.spikes.total).toBeGreaterThan(0);
  });

  it('begins as after a line break where the prompt is empty', async () => {
    const answer = await served.infer({ ...asking('fox', 20), inputs: { text: '' } });

    expect(answer.outputs.text).toBe(await generated('\n', 20, 7));
    expect(answer.usage.prompt_tokens).toBe(0);
  });

  it('shows every spike it counted, and writes the same text', async () => {
    const plain = await served.infer(asking('fox', 12));
    const pictured = await served.infer(asking('fox', 12, { raster: true }));

    const spikes = (pictured.raster ?? []).map(({ bits }) => bitsOf(bits));
    expect(spikes.reduce((a, b) => a + b, 0)).toBe(pictured.spikes.total);
    expect(pictured.spikes).toEqual(plain.spikes);
    expect(pictured.outputs).toEqual(plain.outputs);
    // Ten characters of the prompt, and all that were written but the last, which nobody reads.
    const times = new Set(pictured.raster?.map((layer) => layer.times));
    expect(times).toEqual(new Set([(10 + 12 - 1) * 2]));
  });

  it.each([
    [
      'a character it never saw',
      { inputs: { text: 'the Ωmega' } },
      422,
      /"Ω" \(U\+03A9\) at position 4/,
    ],
    ['no such model', { model_id: 'wolf' }, 404, /wolf/],
    ['no such version', { version: '9.9.9' }, 404, /9\.9\.9/],
    ['no such alias', { alias: 'best' }, 404, /best/],
    ['version and alias', { version: '1.0.0', alias: 'best' }, 422, /not both/],
    ['a negative length', { config: { max_length: -1 } }, 422, /max_length.*-1/],
    ['a picture of a novel', { config: { max_length: 5000, raster: true } }, 422, /5010 tokens/],
    ['a misspelt name', { prompt: 'x' }, 422, /unknown name/],
  ])('refuses %s, and says what was expected', async (_, changes, status, detail) => {
    const answer = await served.ask({ ...asking('fox', 3), ...changes });

    const problem = await problemOf(answer);
    expect(problem).toMatchObject({ status });
    expect(problem.detail).toMatch(detail);
  });

  it('takes a prompt of more than a megabyte', async () => {
    const text = 'the quick '.repeat(120_000);
    const answer = await served.ask({ ...asking('fox', 1), inputs: { text } });

    // It is too long, but not too large.
    expect(await problemOf(answer)).toMatchObject({ status: 422, code: 'validation_failed' });
  });

  it('carries a request out once for its Idempotency-Key', async () => {
    const { seed: _, ...config } = asking('fox', 20).config ?? {};
    const request = { ...asking('fox', 20), config };
    const init = { headers: { 'idempotency-key': 'k1' } };
    const first = await served.ask(request, init);
    const again = await served.ask(request, init);

    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await again.json()).toEqual(await first.json());
  });
});

describe('a streamed answer', () => {
  it('comes in pieces that are the whole text, then as a whole', async () => {
    const answer = await served.ask({ ...asking('fox', 40), stream: true });

    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    const events = await eventsOf(answer);
    const [last, done, ...pieces] = events.toReversed();
    const chunks = pieces.toReversed().map(({ data }) => InferChunk.parse(JSON.parse(data)));
    const whole = InferResponse.parse(JSON.parse(done!.data));
    expect(last).toMatchObject({ event: 'message', data: '[DONE]' });
    expect(done).toMatchObject({ event: 'done' });
    expect(chunks.map(({ delta }) => delta).join('')).toBe(whole.outputs.text);
    expect(chunks.map(({ index }) => index)).toEqual(chunks.map((_, i) => i));
    expect(new Set(chunks.map(({ id }) => id))).toEqual(new Set([whole.id]));
    expect(chunks.at(-1)).toMatchObject({ delta: '', finish_reason: 'length' });
    expect(whole.outputs.text).toBe(await generated('the quick ', 40, 7));
  });

  it('never shows what may become a stop sequence', async () => {
    const { outputs } = await served.infer(asking('fox', 40));
    const stop = [outputs.text.slice(20, 26)];

    const events = await eventsOf(
      await served.ask({ ...asking('fox', 40, { stop }), stream: true }),
    );

    const shown = events
      .filter(({ event, data }) => event === 'message' && data !== '[DONE]')
      .map(({ data }) => InferChunk.parse(JSON.parse(data)).delta);
    expect(shown.join('')).toBe(outputs.text.slice(0, outputs.text.indexOf(stop[0]!)));
  });

  it('is refused with a status where nothing was written yet', async () => {
    const answer = await served.ask({ ...asking('wolf', 4), stream: true });

    expect(await problemOf(answer)).toMatchObject({ status: 404, code: 'model_not_found' });
  });

  it('reports a later failure as the last event of the stream', async () => {
    const answer = await served.ask({ ...asking('fox', 100_000), stream: true, timeout_ms: 200 });

    expect(answer.status).toBe(200);
    const { event, data } = (await eventsOf(answer)).at(-1)!;
    expect(event).toBe('error');
    expect(ProblemDocument.parse(JSON.parse(data))).toMatchObject({ code: 'upstream_timeout' });
  });

  it('costs a slow reader nothing but time: what he missed comes as one piece', async () => {
    const answer = await served.ask({ ...asking('fox', 2000), stream: true });
    // Written to the end while nobody reads.
    await served.infer(asking('fox', 2000));

    const events = await eventsOf(answer);

    const done = events.find(({ event }) => event === 'done');
    const chunks = events.filter(({ event, data }) => event === 'message' && data !== '[DONE]');
    const text = chunks.map(({ data }) => InferChunk.parse(JSON.parse(data)).delta).join('');
    expect(text).toBe(InferResponse.parse(JSON.parse(done!.data)).outputs.text);
  });
});

describe('POST /batch_infer', () => {
  it('answers each request at its index, refusals too', async () => {
    const requests = [asking('fox', 5), asking('wolf', 5), asking('fox', 6)];
    const answer = await served.post('/batch_infer', { id: 'b1', requests });

    const { results, ...counts } = BatchResponse.parse(await answer.json());
    expect(counts).toEqual({ id: 'b1', succeeded: 2, failed: 1 });
    expect(results.map(({ index, status }) => [index, status])).toEqual([
      [0, 200],
      [1, 404],
      [2, 200],
    ]);
    expect(results[1]?.error).toMatchObject({ code: 'model_not_found' });
    expect([...InferResponse.parse(results[2]?.response).outputs.text]).toHaveLength(6);
  });

  it('gives up on the rest at the first failure where it is to', async () => {
    const requests = [asking('fox', 100_000), asking('wolf', 5)];
    const answer = await served.post('/batch_infer', { requests, fail_fast: true });

    const { results, failed } = BatchResponse.parse(await answer.json());
    expect(failed).toBe(2);
    expect(results[0]?.error).toMatchObject({ code: 'precondition_failed' });
  });

  it('streams nothing', async () => {
    const requests = [asking('fox', 5), { ...asking('fox', 5), stream: true }];
    const answer = await served.post('/batch_infer', { requests });

    expect((await problemOf(answer)).detail).toBe(
      '/requests/1/stream: a batch is answered as a whole: expected false (got true)',
    );
  });
});

function bitsOf(base64: string): number {
  let bits = 0;
  for (let byte of Buffer.from(base64, 'base64')) {
    for (; byte !== 0; byte &= byte - 1) bits++;
  }
  return bits;
}
