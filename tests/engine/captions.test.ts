import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { melFeatures, mfccDefaults } from '../../engine/data/audio/mel.ts';
import { decodeWav } from '../../engine/data/audio/wav.ts';
import {
  captionTokenizer,
  createCaptionGatherer,
  createCaptionSampler,
} from '../../engine/data/captions/caption-batches.ts';
import { type CaptionOptions, openCaptions } from '../../engine/data/captions/captions.ts';
import { patchesOf } from '../../engine/data/images/patches.ts';
import { keyOf } from '../../engine/random/philox.ts';
import { colouredPng, dataFiles, jsonLines, toneWav } from './captioned-files.ts';
import { idxFile } from './image-sets.ts';

const options: CaptionOptions = {
  captionKey: 'caption',
  picture: { width: 2, height: 2, channels: 3 },
  sound: { ...mfccDefaults, frames: 3 },
};
const red = colouredPng([255, 0, 0]);
const blue = colouredPng([0, 0, 255]);
const two = [
  { image: 'red.png', caption: 'red' },
  { image: 'b/blue.png', caption: 'blue', split: 'test' },
];

describe('captioned data', () => {
  it('is a folder of PNG files and a JSONL file that names them', async () => {
    const files = dataFiles({
      'pairs.jsonl': jsonLines(two),
      'in/red.png': red,
      'in/b/blue.png': blue,
      'left.txt': 'passed over',
    });

    const set = await openCaptions(files, options);

    expect(set.captions).toEqual(['red', 'blue']);
    expect([set.train, set.test]).toEqual([[0], [1]]);
    const plane = (value: number) => [value, value, value, value];
    expect([...set.pictures!.values]).toEqual(
      [[255, 0, 0].flatMap(plane), [0, 0, 255].flatMap(plane)].flat(),
    );
    expect(set.sounds).toBeUndefined();
  });

  it('is a JSONL file and an IDX file of all pictures, grey or coloured, gzipped or not', async () => {
    const bytes = Uint8Array.from({ length: 2 * 4 * 3 }, (_, i) => i);
    const lines = jsonLines([{ caption: 'a' }, { caption: 'b', split: 'test' }]);
    const gzip = gzipSync(idxFile([2, 2, 2, 3], bytes));

    const coloured = await openCaptions(
      dataFiles({ 'a.jsonl': lines, 'x-idx4-ubyte.gz': gzip }),
      options,
    );
    const grey = await openCaptions(
      dataFiles({ 'a.jsonl': lines, 'x-idx3-ubyte': idxFile([2, 2, 2], bytes.subarray(0, 8)) }),
      options,
    );

    // Red, green and blue side by side in the file are planes of their own here.
    expect([...coloured.pictures!.values.subarray(0, 4)]).toEqual([0, 3, 6, 9]);
    expect([...grey.pictures!.values.subarray(12, 20)]).toEqual([4, 5, 6, 7, 4, 5, 6, 7]);
  });

  it('is WAV files that become frames of cepstral coefficients', async () => {
    const wav = toneWav(440, 900);
    const lines = jsonLines([
      { audio: 'a.wav', caption: 'la' },
      { audio: 'a.wav', caption: 'la', split: 'test' },
    ]);

    const set = await openCaptions(dataFiles({ 'a.jsonl': lines, 'a.wav': wav }), options);

    const expected = melFeatures(decodeWav('a', wav).samples, options.sound);
    expect([...set.sounds!.values.subarray(0, 78)]).toEqual([...Float32Array.from(expected)]);
  });

  it('holds back each tenth pair where no line says otherwise', async () => {
    const lines = Array.from({ length: 20 }, () => ({ image: 'red.png', caption: 'red' }));

    const set = await openCaptions(
      dataFiles({ 'a.jsonl': jsonLines(lines), 'red.png': red }),
      options,
    );

    expect(set.test).toEqual([9, 19]);
    expect(set.train).toHaveLength(18);
  });

  it('has another digest where a picture or a caption is another', async () => {
    const digestOf = async (lines: typeof two, picture: Uint8Array) => {
      const named = { 'a.jsonl': jsonLines(lines), 'red.png': picture, 'b/blue.png': blue };
      return (await openCaptions(dataFiles(named), options)).digest;
    };
    const digests = [
      await digestOf(two, red),
      await digestOf(two, blue),
      await digestOf([{ image: 'red.png', caption: 'rot' }, two[1]!], red),
    ];

    expect(new Set(digests).size).toBe(3);
    expect(await digestOf(two, red)).toBe(digests[0]);
  });

  const png = { 'red.png': red, 'b/blue.png': blue };
  it.each([
    [{ ...png }, /none of 2 files ends in \.jsonl/],
    [{ ...png, 'a.jsonl': '', 'b.jsonl': '' }, /2 files fit .*jsonl/],
    [{ ...png, 'a.jsonl': '\n\n' }, /a\.jsonl has no lines/],
    [{ ...png, 'a.jsonl': 'red' }, /a\.jsonl, line 1 is no JSON object: "red"/],
    [
      { ...png, 'a.jsonl': '{"text": "red"}' },
      /line 1: there is no text under caption; it has \[text\]/,
    ],
    [{ ...png, 'a.jsonl': '{"caption": 7}' }, /line 1: caption is 7: expected a text/],
    [{ ...png, 'a.jsonl': '{"caption": "red"}' }, /name neither an image nor an audio file/],
    [
      { 'a.jsonl': jsonLines(two), 'red.png': red },
      /line 2 names b\/blue\.png: 0 files have that path/,
    ],
    [{ ...png, 'c/red.png': red, 'a.jsonl': jsonLines(two) }, /line 1 names red\.png: 2 files/],
    [
      { ...png, 'a.jsonl': jsonLines([two[0]!, { caption: 'x' }]) },
      /line 2 names no image, others do/,
    ],
    [{ ...png, 'a.jsonl': jsonLines([two[0]!]) }, /1 pairs to learn from and 0 to test with/],
    [
      { 'a.jsonl': '{"caption": "x"}', 'a-idx3-ubyte': idxFile([2, 1, 1], Uint8Array.of(1, 2)) },
      /has 2 images, the captions have 1 lines/,
    ],
  ])('%# is refused with what was expected', async (files, message) => {
    const opening = openCaptions(dataFiles(files), options);

    await expect(opening).rejects.toMatchObject({ code: 'captions-invalid' });
    await expect(opening).rejects.toThrow(message);
  });
});

describe('patches', () => {
  const picture = Uint8Array.from({ length: 16 }, (_, i) => i);
  const shape = { width: 4, height: 4, channels: 1, patch: 2 } as const;
  const patched = (...shift: Parameters<typeof patchesOf>[3][]) => {
    const target = new Float32Array(16);
    patchesOf(picture, shape, target, ...shift);
    return Array.from(target, (value) => Math.round(127.5 + 127.5 * value));
  };

  it('are squares of pixels from -1 to 1, row by row', () => {
    expect(patched()).toEqual([0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15]);
  });

  it('repeat the edge where the picture moved in', () => {
    const moved = patched({ down: 1, right: -2, gains: [] });

    // The first row is the old first row again, two pixels further left.
    expect(moved.slice(0, 8)).toEqual([2, 3, 2, 3, 3, 3, 3, 3]);
  });
});

describe('batches of captions', () => {
  const names = ['ab', 'c', 'abcdef'];
  const augmentation = { shift: 1, contrast: 0.5, hidden: 0.5 };
  async function gathererOf() {
    const lines = names.map((caption) => ({ image: 'red.png', caption }));
    const files = dataFiles({
      'a.jsonl': jsonLines([...lines, { ...two[1], image: 'red.png' }]),
      'red.png': colouredPng([255, 40, 0]),
    });
    const set = await openCaptions(files, options);
    const tokenizer = captionTokenizer(set);
    const shape = { batch: 4, sequence: 4, patch: 1 };
    return {
      set,
      tokenizer,
      gatherer: createCaptionGatherer({ set, tokenizer, shape, augmentation }),
    };
  }

  it('begin behind the mark, end with it, and count up to there', async () => {
    const { gatherer, tokenizer } = await gathererOf();

    const batch = gatherer.gather([0, 2], [0, 2]);

    const text = (ids: Uint32Array) => tokenizer.decode(ids).replaceAll('\n', '|');
    expect(text(batch.ids)).toBe('|ab||abc||||||||');
    expect(text(batch.targets)).toBe('ab||abcd||||||||');
    expect([...batch.weights]).toEqual([1, 1, 1, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it('are the same for a seed and a step, and weigh 1 on the mean', async () => {
    const { gatherer, set } = await gathererOf();
    const samplerOf = (seed: number) =>
      createCaptionSampler(gatherer, set.train, { batch: 3, seed });
    const batchOf = (seed: number, step: number) =>
      JSON.stringify(samplerOf(seed).batch(step), (_, value: unknown) =>
        ArrayBuffer.isView(value) ? Array.from(value as Float32Array) : value,
      );

    expect(batchOf(1, 7)).toBe(batchOf(1, 7));
    expect(new Set([batchOf(1, 7), batchOf(1, 8), batchOf(2, 7)]).size).toBe(3);
    const { weights } = gatherer.vary([0, 1, 2], { key: keyOf(1), step: 0 });
    expect(weights.reduce((a, b) => a + b, 0) / weights.length).toBeCloseTo(1, 6);
  });

  it('hide another share of each caption, from none to all, and never the mark in front', async () => {
    const sequence = 16;
    const caption = 'abcdefghijklmnop';
    const files = dataFiles({
      'a.jsonl': jsonLines([
        { image: 'red.png', caption },
        { ...two[1], image: 'red.png', caption },
      ]),
      'red.png': colouredPng([255, 40, 0]),
    });
    const set = await openCaptions(files, options);
    const tokenizer = captionTokenizer(set);
    const shape = { batch: 64, sequence, patch: 1 };
    const hiding = { set, tokenizer, shape, augmentation: { ...augmentation, hidden: 1 } };
    const { ids } = createCaptionGatherer(hiding).vary(
      Array.from({ length: 64 }, () => 0),
      {
        key: keyOf(3),
        step: 5,
      },
    );

    const mark = ids[0];
    const hidden = Array.from({ length: 64 }, (_, row) => {
      const own = ids.subarray(row * sequence, (row + 1) * sequence);
      expect(own[0]).toBe(mark);
      return own.filter((id) => id === mark).length - 1;
    });
    // Binomial of a uniform share: each of the 16 counts is as likely as the others.
    expect(Math.min(...hidden)).toBeLessThan(3);
    expect(Math.max(...hidden)).toBeGreaterThan(12);
    const mean = hidden.reduce((a, b) => a + b, 0) / 64;
    expect(mean).toBeGreaterThan(5.5);
    expect(mean).toBeLessThan(9.5);
  });

  it('need as many pairs to learn from as one of them has', async () => {
    const { gatherer, set } = await gathererOf();

    expect(() => createCaptionSampler(gatherer, set.train, { batch: 4, seed: 1 })).toThrow(
      /there are 3 pairs to learn from: a batch of 4 needs as many at least/,
    );
  });
});
