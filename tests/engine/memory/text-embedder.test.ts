import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTextEmbedder, EMBEDDING_SIZE, similarity } from '../../../engine/memory.ts';
import { hashBytes } from '../../../engine/memory/hash.ts';
import { openTextEmbedder, type TextEmbedder } from '../../../engine/memory/text-embedder.ts';
import { reference, variants } from '../play.ts';
import { backends } from './backends.ts';
import { texts } from './texts.ts';

/** Hashes of the embeddings of these texts. */
const STORED = [
  ...['7b10d3e7', 'c087f4f0', '10e575b', '9017406'],
  ...['e20eafe7', '9017406', '39fe81dc', 'f61fcb53'],
];

let embedder: TextEmbedder;
beforeAll(async () => {
  embedder = await createTextEmbedder();
});

const similarityOf = async (a: string, b: string) => {
  const [first, second] = await embedder.embed([a, b]);
  return similarity(first!, second!);
};

describe('the embedding of a text', () => {
  it('has the same bytes on every backend', async () => {
    const expected = await (await openTextEmbedder(reference)).embed(texts);

    for (const name of backends) {
      const backend = await variants[name]();
      const other = await openTextEmbedder(backend);
      expect(await other.embed(texts), name).toEqual(expected);
      other.close();
      backend.close();
    }
  });

  // Stored embeddings compare with new ones only as long as this holds.
  it('has the bytes that earlier versions stored', async () => {
    const embeddings = await embedder.embed(texts);

    const hashes = embeddings.map((embedding) => hashBytes(new Uint8Array(embedding.buffer)));
    expect(hashes.map((hash) => hash.toString(16))).toEqual(STORED);
  });

  it('does not depend on what is embedded with it', async () => {
    const many = Array.from({ length: 41 }, (_, i) => texts[i % texts.length]!);

    const [together, alone] = await Promise.all([
      embedder.embed(many),
      Promise.all(texts.map((text) => embedder.embed([text]))),
    ]);

    expect(together).toEqual(many.map((_, i) => alone[i % texts.length]![0]));
  });

  it('is zero for a text without a word, and only then', async () => {
    const isZero = (embedding: Int8Array) => embedding.every((value) => value === 0);
    const embeddings = await embedder.embed(texts);

    expect(embeddings.map(isZero)).toEqual(texts.map((text) => !/[\p{L}\p{N}]/u.test(text)));
    expect(similarity(embeddings[3]!, embeddings[0]!)).toBe(0);
  });

  it('takes any text there can be', async () => {
    // Any code units, halves of surrogate pairs among them, and what is near the border of those.
    const unit = fc.oneof(fc.nat(0xffff), fc.nat(0x17f), fc.integer({ min: 0xd7f0, max: 0xe010 }));
    const any = fc.array(unit, { maxLength: 300 }).map((units) => String.fromCharCode(...units));
    await fc.assert(
      fc.asyncProperty(any, async (text) => {
        const [embedding] = await embedder.embed([text]);

        expect(embedding).toHaveLength(EMBEDDING_SIZE);
        expect(Math.max(...embedding!.map(Math.abs))).toBeLessThanOrEqual(16);
      }),
    );
  });

  it('is that of the same text in another width, case or spacing', async () => {
    const [plain, ...others] = await embedder.embed([
      'Fix the STRASSE: 12 カエル',
      'ＦＩＸ　ｔｈｅ　Straße 12 ｶｴﾙ',
      '  ﬁx\nthe\tstrasse ... 12 (カエル)',
    ]);

    for (const other of others) expect(other).toEqual(plain);
  });
});

describe('the similarity of two texts', () => {
  it.each([
    [
      'The storm cut the power, so the station closed.',
      'the strom cut the powre so station closed',
    ],
    ['The storm cut the power, so the station closed.', 'so the station closed: storm cut power'],
    ['嵐で停電したため、駅は閉鎖された。', '駅は閉鎖された。嵐で停電したから'],
  ])('is that of near duplicates: %s / %s', async (a, b) => {
    expect(await similarityOf(a, b)).toBeGreaterThan(0.6);
  });

  it.each([
    ['The storm cut the power, so the station closed.', 'My favourite soup has beans and leek'],
    ['嵐で停電したため、駅は閉鎖された。', '彼女は毎朝コーヒーを飲みます'],
    ['The storm cut the power', '嵐で停電した'],
  ])('is small for texts that share little: %s / %s', async (a, b) => {
    expect(Math.abs(await similarityOf(a, b))).toBeLessThan(0.3);
  });

  it('grows with the retained part of a long text', async () => {
    const words = Array.from({ length: 20_000 }, (_, i) => `w${(i * 7919) % 104_729}`);
    const whole = words.join(' ');
    const near = await similarityOf(whole, words.slice(0, 16_000).join(' '));
    const far = await similarityOf(whole, words.slice(0, 4000).join(' '));

    expect(near).toBeGreaterThan(0.7);
    expect(far).toBeLessThan(near - 0.2);
  });
});
