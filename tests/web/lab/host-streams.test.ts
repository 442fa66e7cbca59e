import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { OpenCommand } from '../../../web/lab/protocol.ts';
import { chosenFiles } from '../../../web/ui/dropped-files.ts';
import { OPEN, startHost } from './lab-host.ts';

/** Two patches a side, as many codes as shades of grey, and captions of at most four characters with their end. */
const SETTINGS: OpenCommand['settings'] = {
  architecture: 'memoried_spikenetlm',
  fields: {
    d_model: 16,
    num_blocks: 1,
    caption_seq_len: 4,
    image_patch: 16,
    image_codes: 3,
    codebook_rank: 8,
    adapter_rank: 2,
    density: 0.2,
  },
  batch: 2,
  learningRate: 0.02,
  seed: 7,
  budget: { kind: 'steps', steps: 8 },
};

/** An archive of grey pictures of 2 x 2 pixels in one IDX file, and what they are called. */
function captionedPictures(): File {
  const names = ['dim', 'mid', 'lit'];
  const lines = Array.from({ length: 12 }, (_, i) =>
    JSON.stringify({ caption: names[i % 3], split: i < 9 ? 'train' : 'test' }),
  );
  const header = [0, 0, 8, 3, 0, 0, 0, 12, 0, 0, 0, 2, 0, 0, 0, 2];
  const pixels = Array.from({ length: 4 * 12 }, (_, i) => 100 * (Math.floor(i / 4) % 3));
  const archive = zipSync({
    'captions.jsonl': new TextEncoder().encode(lines.join('\n')),
    'images-idx3-ubyte': Uint8Array.from([...header, ...pixels]),
  });
  return new File([Uint8Array.from(archive)], 'greys.zip');
}

describe('a run on captioned pictures', () => {
  it('learns streams of text and image codes, beside the floor of their frequencies', async () => {
    const host = startHost();
    host.command({
      kind: 'open-data',
      choice: { kind: 'files', files: chosenFiles([captionedPictures()]) },
      settings: SETTINGS,
    });
    await host.nextEvent('data', ({ data }) => data.status === 'open');

    host.command({ ...OPEN, settings: SETTINGS });
    await host.run('finished', 0);

    const validations = host.all('validated').map(({ validation }) => validation);
    const { step, loss, figures } = validations.at(-1)!;
    expect(step).toBe(8);
    expect(loss).toBeLessThan(validations[0]!.loss);
    // Nine pictures of four patches and nine captions of four tokens: 36 image codes, a third of each kind.
    expect(figures['image_unigram']).toBeCloseTo(Math.log(3), 10);
    expect(figures).toMatchObject({
      text_loss: expect.any(Number),
      image_loss: expect.any(Number),
    });
  });
});
