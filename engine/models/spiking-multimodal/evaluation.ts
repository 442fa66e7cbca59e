import type { Backend } from '../../graph/backend.ts';
import type { StoredModel } from '../../checkpoint/checkpoint.ts';
import { settingsOf } from '../../checkpoint/training-state.ts';
import { createCaptionGatherer } from '../../data/captions/caption-batches.ts';
import { placesOf } from '../../data/captions/captions.ts';
import { withKnownCaptions } from '../../data/tokenizers/known-characters.ts';
import { type CaptionScorer, evaluateCaptions } from '../../evaluation/caption-evaluator.ts';
import type { Opened, OpenEvaluation } from '../../evaluation/evaluator.ts';
import { leftOut } from '../../evaluation/sections.ts';
import { memoryOf } from '../../graph/program.ts';
import { ngramModelOf } from '../../ngrams/stored.ts';
import { captionCosts } from '../captioning/caption-run.ts';
import { createCaptionPriors } from '../captioning/caption-tables.ts';
import { traceCaptionEvaluation } from '../captioning/caption-model.ts';
import { modelOf } from '../stored-model.ts';
import { imageInput, multimodalStructureFrom } from './family.ts';
import { augmentation, type CaptionData, captionModelOf, training } from './training.ts';

/** Judges a model by every caption behind every image or sound of a part of the pairs. */
export const openEvaluation: OpenEvaluation = async (sources) => {
  const { backend, stored, data, choice, signal } = sources;
  const settings = settingsOf(stored.execution, stored.spec.architecture);
  const given = { base: stored, ...(signal && { signal }) };
  const opened = await training.openData(data, settings, given);
  const known = withKnownCaptions(opened.set, opened.tokenizer);
  const captions = { ...opened, set: known.set };
  const places = placesOf(captions.set, choice.split);
  const reader = await openReader(backend, stored, { ...captions, places });
  return {
    evaluator: {
      unit: 'caption',
      total: places.length,
      memory: reader.memory,
      run: (watch) => evaluateCaptions(reader, watch),
      close: () => reader.close(),
    },
    data: {
      name: captions.name,
      sha256: captions.digest,
      split: choice.split,
      first: 0,
      end: places.length,
      length: captions.length,
      ...leftOut(known.unknown),
    },
  };
};

interface JudgedCaptions extends CaptionData {
  readonly places: readonly number[];
}

async function openReader(
  backend: Backend,
  stored: StoredModel,
  { set, tokenizer, places }: JudgedCaptions,
): Promise<CaptionScorer & Opened> {
  const { spec, values, execution } = modelOf(stored, 'spiking_multimodal');
  const model = captionModelOf(multimodalStructureFrom(spec));
  const { layout } = model;
  const batch = execution.effective.batch_size;
  const evaluate = traceCaptionEvaluation(model, batch);
  const shape = { batch, sequence: model.sequence, patch: imageInput.patch };
  const gatherer = createCaptionGatherer({ set, tokenizer, shape, augmentation });
  const tables = ngramModelOf(stored);
  const priors = tables && createCaptionPriors(tables, shape, tokenizer);
  const player = await backend.load(layout, [evaluate.program]);
  player.write(layout.values, values);
  const placeOf = (pair: number) => places[pair] ?? 0;
  return {
    pairs: places.length,
    memory: { parameters: layout.blockBytes, ...memoryOf([evaluate.program]) },
    async read(caption, pictures) {
      const { nats, tokens } = await captionCosts(
        { player, evaluate, gatherer, priors },
        { captions: pictures.map(() => placeOf(caption)), inputs: pictures.map(placeOf) },
      );
      return { nats, tokens: tokens[0] ?? 0 };
    },
    close: () => player.close(),
  };
}
