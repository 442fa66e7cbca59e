import { describe, expect, it } from 'vitest';
import type { GenerateRequest, LanguageModel } from '../../engine/models/language/generator.ts';
import { defaultSampling } from '../../engine/models/language/sampling.ts';
import { openLanguageModel } from '../../engine/models/open-model.ts';
import { reference } from './play.ts';
import { STORED_ALPHABET, storedSettings, storedTraining } from './stored-model.ts';

const request: GenerateRequest = {
  ...defaultSampling,
  temperature: 1,
  topP: 1,
  prompt: 'aé',
  tokens: 40,
};

describe('a language model', () => {
  it('generates the requested number of characters, all of its alphabet, one by one', async () => {
    const pieces = await piecesOf(await openModel(), request);

    expect(pieces).toHaveLength(40);
    expect([...STORED_ALPHABET]).toEqual(expect.arrayContaining(pieces));
    expect(new Set(pieces).size).toBeGreaterThan(3);
  });

  it('writes the same text for the same seed, whatever it wrote before, and another for another', async () => {
    const model = await openModel();
    const first = await textOf(model, request);
    await textOf(model, { ...request, prompt: '日日日', seed: 9 });

    expect(await textOf(model, request)).toBe(first);
    expect(await textOf(await openModel(), request)).toBe(first);
    expect(await textOf(model, { ...request, seed: 2 })).not.toBe(first);
  });

  it('continues a prompt as it continues its own output', async () => {
    const model = await openModel();
    const greedy = { ...request, temperature: 0 };
    const whole = await textOf(model, greedy);

    const [first, rest] = [[...whole].slice(0, 7).join(''), [...whole].slice(7).join('')];
    const continued = { ...greedy, prompt: request.prompt + first, tokens: 33 };
    expect(await textOf(model, continued)).toBe(rest);
  });

  it('refuses a second text while it writes one, and takes it afterwards', async () => {
    const model = await openModel();
    const first = model.generate(request);
    await first.next();

    await expect(textOf(model, request)).rejects.toMatchObject({ code: 'generator-busy' });
    await first.return();
    expect([...(await textOf(model, request))]).toHaveLength(40);
  });

  it('starts as after a line break when the prompt is empty, or else with its first character', async () => {
    const model = await openModel();
    expect(await textOf(model, { ...request, prompt: '' })).toBe(
      await textOf(model, { ...request, prompt: '\n' }),
    );

    const lineless = await openLanguageModel(reference, storedTraining(storedSettings, 'bcd'));
    expect(await textOf(lineless, { ...request, prompt: '' })).toBe(
      await textOf(lineless, { ...request, prompt: 'b' }),
    );
  });

  it('stops when it is aborted, in the middle of a text or before it', async () => {
    const model = await openModel();
    const stop = new AbortController();
    const pieces: string[] = [];
    for await (const piece of model.generate({ ...request, signal: stop.signal })) {
      pieces.push(piece);
      if (pieces.length === 3) stop.abort();
    }

    expect(pieces).toHaveLength(3);
    expect(await piecesOf(model, { ...request, signal: stop.signal })).toEqual([]);
    expect(await piecesOf(model, { ...request, tokens: 0 })).toEqual([]);
  });

  it('refuses a prompt outside its alphabet before it writes anything', async () => {
    const model = await openModel();

    await expect(piecesOf(model, { ...request, prompt: 'a日x' })).rejects.toMatchObject({
      code: 'unknown-character',
      message: 'the character "x" (U+0078) at position 2 is not in the model\'s alphabet',
    });
  });

  it.each([
    [{ tokens: -1 }, 'tokens is -1: expected a whole number'],
    [{ tokens: 1.5 }, 'tokens is 1.5: expected a whole number'],
    [{ tokens: Number.NaN }, 'tokens is NaN: expected a whole number'],
    [{ topP: 2 }, 'top_p is 2: expected a number above 0, up to 1'],
  ])('refuses %j, naming it and what was expected', async (changes, message) => {
    const model = await openModel();

    await expect(piecesOf(model, { ...request, ...changes })).rejects.toMatchObject({
      code: 'invalid-setting',
      message,
    });
  });
});

function openModel(): Promise<LanguageModel> {
  return openLanguageModel(reference, storedTraining());
}

async function piecesOf(model: LanguageModel, asked: GenerateRequest): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of model.generate(asked)) pieces.push(piece);
  return pieces;
}

async function textOf(model: LanguageModel, asked: GenerateRequest): Promise<string> {
  return (await piecesOf(model, asked)).join('');
}
