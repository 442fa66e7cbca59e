import { describe, expect, it } from 'vitest';
import { type LabHost, OPEN, SETTINGS, startHost, TEXT, WRITE } from './lab-host.ts';

describe('a checkpoint', () => {
  const zipOf = async (host: LabHost) => {
    const saved = await host.ask('save', null);
    if (!saved.ok) throw new Error(JSON.stringify(saved.failure));
    return new File([saved.value.file], saved.value.name);
  };

  // To the bit on WASM (see lab-families.spec.ts): the reference computes in float64, files are float32.
  it('is saved and loaded, and training goes on as if it had never stopped', async () => {
    const [whole, half, rest] = [startHost(), startHost(), startHost()];
    await Promise.all([whole, half, rest].map((host) => host.openText()));
    whole.command(OPEN);
    await whole.run('finished', 0);
    half.command({ ...OPEN, next: 'step' });
    await half.run('paused', 0);
    const zip = await zipOf(half);
    expect(zip.name).toBe('spikegrid-000001.zip');

    const loaded = await rest.ask('load', [zip]);
    expect(loaded).toMatchObject({ ok: true, value: { step: 1, settings: SETTINGS } });
    rest.command({ ...OPEN, from: 'checkpoint' });
    await rest.run('finished', 0);

    const lossesOf = (host: LabHost) => host.all('validated').map(({ validation }) => validation);
    const expected = lossesOf(whole);
    expect(lossesOf(rest)).toHaveLength(expected.length);
    for (const [index, { step, loss }] of lossesOf(rest).entries()) {
      expect(step).toBe(expected[index]!.step);
      expect(loss).toBeCloseTo(expected[index]!.loss, 4);
    }
  });

  it('generates without its training text', async () => {
    const host = startHost();
    await host.openText();
    host.command({ ...OPEN, next: 'step' });
    await host.run('paused', 0);
    const zip = await zipOf(host);
    const other = startHost();
    await other.ask('load', [zip]);

    expect(await other.ask('write', WRITE)).toMatchObject({ ok: true, value: { tokens: 20 } });
  });

  it('of another text is refused with both digests', async () => {
    const host = startHost();
    await host.openText();
    host.command({ ...OPEN, next: 'step' });
    await host.run('paused', 0);
    const zip = await zipOf(host);
    const other = startHost();
    await other.openText(TEXT.toUpperCase());
    await other.ask('load', [zip]);
    other.command({ ...OPEN, from: 'checkpoint' });

    expect(await other.run('failed', 0)).toMatchObject({
      failure: { code: 'checkpoint-mismatch', message: expect.stringContaining('sha256') },
      checkpointStep: 1,
    });
  });

  it('of another family is refused where a run is, and taken once the run is reset', async () => {
    const [host, other] = [startHost(), startHost()];
    await Promise.all([host.openText(), other.openText()]);
    host.command({ ...OPEN, next: 'step' });
    const { time_steps: _, ...fields } = SETTINGS.fields;
    const settings = { ...SETTINGS, architecture: 'standard_transformer', fields } as const;
    other.command({ ...OPEN, settings, next: 'step' });
    await Promise.all([host.run('paused', 0), other.run('paused', 0)]);
    const zip = await zipOf(other);
    const states = host.all('run').length;

    expect(await host.ask('load', [zip])).toMatchObject({
      failure: {
        code: 'checkpoint-mismatch',
        message: expect.stringMatching(
          /holds a standard_transformer model \(EvoNetLM\), not a dense_chronospike one/,
        ),
      },
    });
    expect(host.all('run')).toHaveLength(states);

    host.command({ kind: 'reset' });
    expect(await host.ask('load', [zip])).toMatchObject({ ok: true, value: { step: 1, settings } });
  });

  it('that is damaged, cut off or no zip file is refused by name, and nothing else changes', async () => {
    const host = startHost();
    await host.openText();
    host.command({ ...OPEN, next: 'step' });
    await host.run('paused', 0);
    const zip = await zipOf(host);
    const bytes = new Uint8Array(await zip.arrayBuffer());
    const altered = bytes.slice();
    // Within the parameters, which are stored as they are.
    altered[1_500] = altered[1_500]! ^ 0xff;
    const states = host.all('run').length;

    const failureOf = async (content: Uint8Array<ArrayBuffer>, name: string) =>
      host.ask('load', [new File([content], name)]);
    expect(await failureOf(altered, 'a.zip')).toMatchObject({
      failure: { code: 'checkpoint-damaged', message: expect.stringContaining('was altered') },
    });
    expect(await failureOf(bytes.slice(0, 4_000), 'b.zip')).toMatchObject({
      failure: { code: 'checkpoint-damaged', message: expect.stringContaining('b.zip is cut off') },
    });
    expect(await failureOf(new Uint8Array(99), 'c.zip')).toMatchObject({
      failure: { message: 'c.zip is not a zip file' },
    });
    expect(await failureOf(new Uint8Array(99), 'model.safetensors')).toMatchObject({
      failure: { code: 'checkpoint-missing', message: expect.stringContaining('manifest.json') },
    });
    expect(host.all('run')).toHaveLength(states);
  });
});
