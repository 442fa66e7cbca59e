import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { createCaptionGatherer } from '../../engine/data/captions/caption-batches.ts';
import { decodePng } from '../../engine/data/images/png.ts';
import { decodeWav } from '../../engine/data/audio/wav.ts';
import { EngineError } from '../../engine/errors.ts';
import {
  captionCosts,
  captionFigures,
  pairCosts,
} from '../../engine/models/captioning/caption-run.ts';
import { traceCaptionRun } from '../../engine/models/captioning/caption-model.ts';
import { openCaptioner } from '../../engine/models/captioning/captioner.ts';
import { reading as chronospike } from '../../engine/models/dense-chronospike/reading.ts';
import { families } from '../../engine/models/families.ts';
import { imageInput, multimodalStructure } from '../../engine/models/spiking-multimodal/family.ts';
import {
  createCaptionContext,
  traceCaptionText,
  tracePrefixReading,
} from '../../engine/models/spiking-multimodal/reading-programs.ts';
import {
  type CaptionData,
  captionModelOf,
  training as multimodalFamily,
} from '../../engine/models/spiking-multimodal/training.ts';
import { unpackModel, unpackTraining } from '../../engine/models/stored-model.ts';
import { slotWord } from '../../engine/kernels/slots.ts';
import { stableBaseline } from '../../engine/settings/controls.ts';
import type { RunSettings } from '../../engine/settings/run-settings.ts';
import type { RunOptions, TrainingRun } from '../../engine/train/run.ts';
import { colouredPng, dataFiles, jsonLines, toneWav } from './captioned-files.ts';
import { reference, variants } from './play.ts';
import { storedFiles } from './stored-model.ts';

const settings: RunSettings = {
  architecture: 'spiking_multimodal',
  fields: { d_model: 16, n_heads: 2, num_blocks: 1, time_steps: 2, caption_seq_len: 6 },
  batch: 8,
  learningRate: 0.01,
  seed: 4,
  budget: { kind: 'steps', steps: 250 },
};
const greedy = { temperature: 0, topK: 0, topP: 1, seed: 1 };

const COLOURS = { red: [230, 20, 20], green: [20, 230, 20], blue: [20, 20, 230] } as const;
const TONES = { low: 200, high: 2200 } as const;
type Colour = keyof typeof COLOURS;
type Tone = keyof typeof TONES;

const colours = Object.keys(COLOURS) as Colour[];
const tones = Object.keys(TONES) as Tone[];

/** Pictures of three colours in eight shades; their captions name the colour. */
function colouredFiles() {
  const pairs = colours.flatMap((caption) =>
    Array.from({ length: 8 }, (_, shade) => ({
      name: `${caption}-${shade}.png`,
      png: colouredPng(COLOURS[caption], shade / 2),
      // The shades of the test were never learned from.
      line: {
        image: `${caption}-${shade}.png`,
        caption,
        split: shade % 4 === 2 ? 'test' : 'train',
      },
    })),
  );
  const lines = jsonLines(pairs.map(({ line }) => line));
  return dataFiles({
    'captions.jsonl': lines,
    ...Object.fromEntries(pairs.map(({ name, png }) => [name, png])),
  });
}

/** Images of two colours with a tone; the captions name the tone, and where `both` the colour. */
function soundingFiles(withPictures: boolean) {
  const lines = tones.flatMap((tone) =>
    Array.from({ length: 10 }, (_, i) => ({
      audio: `${tone}-${i}.wav`,
      ...(withPictures && { image: `${i % 2 ? 'red' : 'blue'}.png` }),
      caption: withPictures ? `${i % 2 ? 'r' : 'b'}${tone}` : tone,
      split: i < 8 ? 'train' : 'test',
    })),
  );
  const clips = tones.flatMap((tone) =>
    Array.from({ length: 10 }, (_, i) => [
      `${tone}-${i}.wav`,
      toneWav(TONES[tone] * (1 + 0.02 * i), 1200 + 100 * i),
    ]),
  );
  return dataFiles({
    'captions.jsonl': jsonLines(lines),
    'red.png': colouredPng(COLOURS.red, 1),
    'blue.png': colouredPng(COLOURS.blue, 1),
    ...(Object.fromEntries(clips) as Record<string, Uint8Array>),
  });
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

describe('spiking_multimodal', () => {
  let backend: Backend;
  let data: CaptionData;
  let run: TrainingRun;
  let first: readonly number[];
  const start = (changes: Partial<RunOptions> = {}, from = data) =>
    multimodalFamily.createRun({ backend, settings, controls: stableBaseline, ...changes }, from);
  beforeAll(async () => {
    backend = await variants['wasm, relaxed, 1 thread']();
    data = await multimodalFamily.openData(colouredFiles(), settings);
    run = await start();
    first = [...(await run.advance(250)).losses];
  });
  afterAll(() => {
    run.close();
    backend.close();
  });

  it('learns captions of pictures that it never saw, and needs the right picture for it', async () => {
    const { loss, figures, layers } = await run.validate();

    expect(first[0]).toBeGreaterThan(1.5);
    expect(loss).toBeLessThan(0.1);
    expect(figures!['shuffled_loss']).toBeGreaterThan(loss + 0.5);
    expect(layers.map(({ name }) => name).slice(0, 2)).toEqual(['image.in', 'blocks.0.in1']);
    expect(layers.every(({ rate }) => rate > 0 && rate < 1)).toBe(true);
  });

  it('says what it sees until the caption ends', async () => {
    const captioner = await openCaptioner(backend, unpackModel(await run.checkpoint()));
    const said: string[] = [];
    for (const colour of colours) {
      const picture = decodePng('x', colouredPng(COLOURS[colour], 1.3));
      said.push(await textOf(captioner.caption({ picture, ...greedy })));
    }
    captioner.close();

    expect(said).toEqual(colours);
  });

  it('finds the picture of a caption and the caption of a picture', async () => {
    const model = captionModelOf(multimodalStructure(settings, data.shape));
    const { evaluate } = traceCaptionRun(model, 4, stableBaseline);
    const player = await backend.load(model.layout, [evaluate.program]);
    player.write(model.layout.values, await run.parameters());
    const shape = { batch: 4, sequence: model.sequence, patch: imageInput.patch };
    const augmentation = { shift: 0, contrast: 0, hidden: 0 };
    const gatherer = createCaptionGatherer({ ...data, shape, augmentation });
    // One test pair of each colour, the last batch not full.
    const places = [6, 14, 22];
    const costs = await pairCosts({ player, evaluate, gatherer }, places);
    player.close();

    const { right, shuffled, captionsOfPictures, picturesOfCaptions } = captionFigures(costs, 1);
    expect(right).toBeLessThan(shuffled - 0.5);
    expect(captionsOfPictures.recallAt.get(1)).toBe(1);
    expect(picturesOfCaptions.recallAt.get(1)).toBe(1);
    expect([...costs.tokens]).toEqual([4, 6, 5]);
  });

  it('costs the same token by token with carried state as all at once', async () => {
    const structure = multimodalStructure(settings, data.shape);
    const model = captionModelOf(structure);
    const values = Float32Array.from(await run.parameters());
    const { evaluate } = traceCaptionRun(model, 1, stableBaseline);
    const context = createCaptionContext(model.layout, structure, 1);
    const [image] = tracePrefixReading(context);
    const text = traceCaptionText(context, 1);
    const programs = [evaluate, image!, text].map(({ program }) => program);
    const player = await reference.load(model.layout, programs);
    player.write(model.layout.values, values);
    const shape = { batch: 1, sequence: model.sequence, patch: imageInput.patch };
    const augmentation = { shift: 0, contrast: 0, hidden: 0 };
    const gatherer = createCaptionGatherer({ ...data, shape, augmentation });
    const { nats } = await captionCosts(
      { player, evaluate, gatherer },
      { captions: [14], inputs: [6] },
    );

    const { prefixes, ids, targets, weights } = gatherer.gather([14], [6]);
    for (let token = 0; token < image!.prefix.tokens; token++) {
      const { features } = image!.prefix;
      player.write(image!.input, prefixes[0]!.subarray(token * features, (token + 1) * features));
      player.write(image!.positions, Uint32Array.of(token));
      player.write(image!.slots, Uint32Array.of(slotWord(0, token === 0)));
      player.play(image!.program);
    }
    let sum = 0;
    for (const [i, id] of ids.entries()) {
      player.write(text.ids, Uint32Array.of(id));
      player.write(text.slots, Uint32Array.of(slotWord(0, false)));
      player.play(text.program);
      const logits = (await player.read(text.logits)) as Float32Array;
      const total = logits.reduce((all, logit) => all + Math.exp(logit), 0);
      sum += weights[i]! * (Math.log(total) - logits[targets[i]!]!);
    }

    expect(sum).toBeCloseTo(nats[0]!, 5);
  });

  it('resumes from a checkpoint as if it had never stopped', async () => {
    const stopped = await start();
    await stopped.advance(20);
    const files = await stopped.checkpoint();
    stopped.close();

    const resumed = await start({ resume: unpackTraining(files) });
    const { losses } = await resumed.advance(15);
    resumed.close();

    expect([...losses]).toEqual(first.slice(20, 35));
  });

  it('learns from sounds, and from sounds and pictures together', async () => {
    for (const withPictures of [false, true]) {
      const heard = await multimodalFamily.openData(soundingFiles(withPictures), settings);
      const listening = await start({}, heard);
      await listening.advance(200);
      const { loss, figures } = await listening.validate();
      const captioner = await openCaptioner(backend, unpackModel(await listening.checkpoint()));
      listening.close();
      const sound = decodeWav('x', toneWav(2_200, 1500));
      const picture = decodePng('x', colouredPng(COLOURS.red, 1));
      const request = { sound, ...(withPictures && { picture }), ...greedy };
      const said = await textOf(captioner.caption(request));
      captioner.close();

      expect(heard.shape).toMatchObject({ sounds: 1, images: Number(withPictures) });
      expect(figures!['shuffled_loss']).toBeGreaterThan(loss + 0.3);
      expect(said).toBe(withPictures ? 'rhigh' : 'high');
    }
  });

  it('rule 11: takes its own fields and no others, and nothing to resume from', () => {
    const check = (fields: RunSettings['fields']) =>
      families.spiking_multimodal.check({ ...settings, fields });

    check(settings.fields);
    for (const name of ['seq_len', 'tokenizer', 'base_model_path', 'resume']) {
      expect(() => check({ [name]: 1 })).toThrow(
        new RegExp(`spiking_multimodal has no field ${name}: expected only d_model, n_heads`),
      );
    }
    expect(() => check({ d_model: 30 })).toThrow(/d_model 30 is not divisible by 4 heads/);
  });

  it('plans what its run then takes', async () => {
    const plan = families.spiking_multimodal.plan(settings, stableBaseline, data.shape);

    expect(plan.parameters).toBe(run.layout.count);
    expect(plan.breakdown.parameters).toBe(run.layout.blockBytes);
  });

  it('refuses models of other families, and is refused by them', async () => {
    const own = unpackModel(await run.checkpoint());
    const text = unpackModel(storedFiles);

    await expect(openCaptioner(backend, text)).rejects.toThrow(
      'holds a dense_chronospike model (SpikingEvoTextLM), which writes no captions',
    );
    await expect(chronospike.openLanguage!(backend, own, {})).rejects.toThrow(
      /holds a spiking_multimodal model .* not a dense_chronospike one/,
    );
  });

  it('refuses what it cannot caption', async () => {
    const captioner = await openCaptioner(backend, unpackModel(await run.checkpoint()));
    const picture = decodePng('x', colouredPng(COLOURS.red, 2));
    const sound = decodeWav('x', toneWav(300, 900));
    const ask = async (request: Parameters<typeof captioner.caption>[0]) =>
      (await captioner.caption(request).next()).value;

    await expect(ask(greedy)).rejects.toThrow(/there is no image/);
    await expect(ask({ picture, sound, ...greedy })).rejects.toThrow(/a sound was given/);
    await expect(ask({ picture, ...greedy, prompt: 'Ω' })).rejects.toThrow(/"Ω"/);
    await expect(ask({ picture, ...greedy, temperature: -1 })).rejects.toThrow(EngineError);
    const writing = captioner.caption({ picture, ...greedy });
    await writing.next();
    await expect(ask({ picture, ...greedy })).rejects.toMatchObject({ code: 'generator-busy' });
    await writing.return(undefined);
    captioner.close();
  });
});
