import { describe, expect, it } from 'vitest';
import { chosenFiles } from '../../../web/ui/dropped-files.ts';
import { SETTINGS, startHost, TEXT } from './lab-host.ts';

describe('a text', () => {
  it('is read to its end and described', async () => {
    const host = startHost();
    const text = await host.openText();

    expect(text).toMatchObject({
      status: 'open',
      facts: { name: 'cats', length: TEXT.length, bytes: TEXT.length, shape: { vocabulary: 14 } },
    });
    expect(text.status === 'open' && TEXT.startsWith(text.facts.preview)).toBe(true);
  });

  it('is read as the fields say: decoded, normalised, in tokens of bytes', async () => {
    const host = startHost();
    // カタカナ in Shift_JIS, half-width: four letters of one byte each.
    const line = Uint8Array.of(0xb6, 0xc0, 0xb6, 0xc5, 0x0a);
    const file = new File(Array(400).fill(line), 'kana.txt');
    const reading = { tokenizer: 'bpe', vocab_size: 260, normalise: 'nfkc', encoding: 'shift_jis' };
    host.command({
      kind: 'open-data',
      choice: { kind: 'files', files: chosenFiles([file]) },
      settings: { ...SETTINGS, fields: { ...SETTINGS.fields, ...reading } },
    });

    const { data } = await host.nextEvent('data', ({ data: { status } }) => status === 'open');

    const text = { characters: 2000, distinct: 4, encodings: ['shift_jis'], tokenizer: 'bpe' };
    expect(data).toMatchObject({ facts: { text, shape: { vocabulary: 260 } } });
    expect(data.status === 'open' && data.facts.preview.startsWith('カタカナ\nカタカナ')).toBe(
      true,
    );
    expect(data.status === 'open' && data.facts.length).toBeLessThan(400 * 13);
  });

  it('is refused when it is empty, by name', async () => {
    expect(await startHost().openText('')).toMatchObject({
      status: 'refused',
      failure: { code: 'text-too-short', message: expect.stringContaining('cats is empty') },
    });
  });

  it('is refused when it is not UTF-8, naming where', async () => {
    const host = startHost();
    const file = new File([Uint8Array.of(0x68, 0x69, 0xff, 0xfe)], 'photo.bin');
    host.command({
      kind: 'open-data',
      choice: { kind: 'files', files: chosenFiles([file]) },
      settings: SETTINGS,
    });

    const { data } = await host.nextEvent('data', ({ data: { status } }) => status === 'refused');
    expect(data).toMatchObject({
      failure: { code: 'text-invalid', message: expect.stringContaining('photo.bin') },
    });
  });

  it('that was chosen last wins over one that is still being read', async () => {
    const host = startHost();
    host.command({
      kind: 'open-data',
      choice: { kind: 'files', files: chosenFiles([new File([TEXT.repeat(5_000)], 'long.txt')]) },
      settings: SETTINGS,
    });
    await host.openText();
    expect((await host.ask('plan', SETTINGS)).ok).toBe(true);

    const names = host
      .all('data')
      .flatMap(({ data }) => (data.status === 'open' ? data.facts.name : []));
    expect(names).toEqual(['cats']);
  });
});

describe('a plan', () => {
  it('counts parameters and memory before any device is opened', async () => {
    const host = startHost({ openBackend: () => Promise.reject(new Error('not now')) });
    await host.openText();
    const plan = await host.ask('plan', SETTINGS);

    // 2 V D + V + D + 1 + blocks (12 D^2 + 11 D), with V = 14 and D = 8.
    expect(plan).toMatchObject({ ok: true, value: { parameters: 224 + 14 + 8 + 1 + 768 + 88 } });
    expect(plan.ok && plan.value.memoryBytes).toBeGreaterThan(4 * 4 * 1103);
  });

  it('refuses heads that do not divide the width, and a text too short for the sequence', async () => {
    const host = startHost();
    await host.openText('too short');

    expect(
      await host.ask('plan', { ...SETTINGS, fields: { ...SETTINGS.fields, n_heads: 3 } }),
    ).toMatchObject({
      failure: { code: 'invalid-structure', message: expect.stringContaining('3 heads') },
    });
    expect(await host.ask('plan', SETTINGS)).toMatchObject({
      failure: { code: 'text-too-short', message: expect.stringMatching(/9 characters.*81/) },
    });
  });
});
