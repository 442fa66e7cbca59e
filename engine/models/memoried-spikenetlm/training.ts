import type { Player } from '../../graph/backend.ts';
import type { RunData } from '../../checkpoint/run-data.ts';
import { tokenizerReferenceOf } from '../../checkpoint/tokenizer-bundle.ts';
import { controlsOf, settingsOf } from '../../checkpoint/training-state.ts';
import { captionTokenizer, createCaptionSampler } from '../../data/captions/caption-batches.ts';
import { openCaptions } from '../../data/captions/captions.ts';
import { sequenceFloors, TEXT_ORDERS } from '../../evaluation/floors.ts';
import { layOutParameters } from '../../graph/parameters.ts';
import type { TrainingControls } from '../../settings/controls.ts';
import { checkResume } from '../../train/resume.ts';
import type { BatchFeed, Validation } from '../../train/run.ts';
import { clearCounts, readActivity } from '../../train/spike-statistics.ts';
import type { FamilyTraining, TrainingOptions } from '../family.ts';
import {
  bufferTensors,
  layOutFixedPart,
  startFixedPart,
} from '../sparse-event-memory/fixed-part.ts';
import { backboneLearning } from '../sparse-event-memory/structure.ts';
import { startFamilyRun } from '../start-run.ts';
import { modelOf } from '../stored-model.ts';
import { type AskedModel, createStreamAnswers, writeStreams } from './answers.ts';
import { codebookBuffers, codebookDigests, codebooksOf } from './codebooks.ts';
import { fitCodebooks } from './coding.ts';
import { memoriedSpecOf, memoriedStructureFrom } from './family.ts';
import {
  type MemoriedTrainProgram,
  traceMemoriedEvaluation,
  traceMemoriedTraining,
} from './programs.ts';
import {
  createStreamGatherer,
  labelsOf,
  type StreamGatherer,
  streamsOf,
  type StreamSource,
} from './streams.ts';
import {
  backboneOf,
  memoriedFieldsOf,
  memoriedParameters,
  type MemoriedSettings,
  memoriedSettings,
  streamOptions,
  streamTokens,
} from './structure.ts';

/** Captioned images, sounds or both, and what makes streams of them. */
export interface StreamData extends RunData, StreamSource {}

export const training: FamilyTraining<StreamData> = {
  async openData(files, settings, { base, ...options } = {}) {
    const fields = memoriedFieldsOf(settings);
    const set = await openCaptions(files, { ...streamOptions(fields), ...options });
    const held = base && modelOf(base, 'memoried_spikenetlm');
    const tokenizer = held?.tokenizer ?? captionTokenizer(set);
    const labels = held?.spec.core.labels ?? labelsOf(set);
    const shape = {
      vocabulary: tokenizer.size,
      images: set.pictures ? 1 : 0,
      sounds: set.sounds ? 1 : 0,
      classes: Math.max(1, labels.length),
    };
    const { structure } = memoriedSettings(settings, shape);
    const codebooks = held ? codebooksOf(held) : fitCodebooks(set, structure);
    const { name, digest, captions } = set;
    return { name, digest, length: captions.length, shape, set, tokenizer, codebooks, labels };
  },
  async createRun(options, data) {
    const { settings, controls, resume } = options;
    const { set, tokenizer, codebooks, labels, shape } = data;
    const asked = memoriedSettings(settings, shape);
    const { structure } = asked;
    const spec = memoriedSpecOf(structure, {
      tokenizer: tokenizerReferenceOf(tokenizer),
      labels,
      digests: codebookDigests(codebooks),
    });
    const about = { name: set.name, sha256: set.digest, examples: set.captions.length };
    if (resume) checkResume(resume, { spec, data: about });
    const traced = traceMemoriedRun(asked, settings.batch, controls);
    const { layout, fixed, train, evaluate, programs } = traced;
    const streams = streamsOf(data, structure);
    // Batches of their own: a validation may begin while steps are queued.
    const gatherer = () => createStreamGatherer(streams, structure, settings.batch);
    const backbone = backboneOf(structure);
    const idsOf = (places: readonly number[]) =>
      places.flatMap((place) => streams[place]?.ids ?? []);
    const model = { structure, evaluate, gatherer: gatherer(), streams, batch: settings.batch };
    return startFamilyRun(options, {
      layout,
      programs,
      train,
      spec,
      tokenizer,
      feed: feedOf(train, gatherer(), set.train, options),
      itemsPerStep: settings.batch,
      data: about,
      buffers: bufferTensors(backbone, fixed),
      constants: codebookBuffers(structure, codebooks),
      start: (player) => startFixedPart(player, backbone, fixed),
      guess: Math.log(backbone.vocabulary),
      floors(pause) {
        const parts = { counted: idsOf(set.train), asked: idsOf(set.test) };
        return sequenceFloors(backbone.vocabulary, TEXT_ORDERS, parts, pause);
      },
      validate: (player) => validateStreams(player, model, set),
    });
  },
  stepPrograms(stored) {
    const { layout, spec, execution } = modelOf(stored, 'memoried_spikenetlm');
    const settings = settingsOf(execution, spec.architecture);
    const structure = memoriedStructureFrom(spec);
    const fixed = layOutFixedPart(backboneOf(structure));
    const shape = { batch: settings.batch, sequence: streamTokens(structure) };
    const learning = backboneLearning(memoriedFieldsOf(settings));
    const model = { structure, layout, fixed };
    return [traceMemoriedTraining(model, shape, controlsOf(execution), learning).program];
  },
};

function feedOf(
  train: MemoriedTrainProgram,
  gatherer: StreamGatherer,
  places: readonly number[],
  { settings, dataSeed: seed = settings.seed }: TrainingOptions,
): BatchFeed {
  const sampler = createCaptionSampler(gatherer, places, { batch: settings.batch, seed });
  return {
    stepsPerEpoch: sampler.stepsPerEpoch,
    load: () => undefined,
    reseed: (next) => sampler.reseed(next),
    write(player, step) {
      const batch = sampler.batch(step);
      writeStreams(player, train, batch);
      player.write(train.classes, batch.classes);
    },
  };
}

/** Everything that a run plays, traced. */
export function traceMemoriedRun(
  { structure, learning }: MemoriedSettings,
  batch: number,
  controls: TrainingControls,
) {
  const layout = layOutParameters(memoriedParameters(structure));
  const model = { structure, layout, fixed: layOutFixedPart(backboneOf(structure)) };
  const shape = { batch, sequence: streamTokens(structure) };
  const train = traceMemoriedTraining(model, shape, controls, learning);
  const evaluate = traceMemoriedEvaluation(model, shape);
  return { ...model, shape, train, evaluate, programs: [train.program, evaluate.program] };
}

/** Places of the training streams and of the validation streams. */
interface StreamParts {
  readonly train: readonly number[];
  readonly test: readonly number[];
}

/**
 * Nats a token of streams that are held out, of all and by modality, each beside what token frequencies
 * cost; and how often the pooled head knows the class of a stream, beside the share of the commonest.
 */
async function validateStreams(
  player: Player,
  model: AskedModel,
  { train, test }: StreamParts,
): Promise<Validation> {
  const { structure, evaluate, batch } = model;
  clearCounts(player, evaluate.layers);
  const answers = createStreamAnswers(model);
  for (let first = 0; first < test.length; first += batch) {
    await answers.ask(player, test.slice(first, first + batch));
  }
  const { tokens, loss, unigram, parts, ...classes } = answers.costs(train);
  const ofParts = parts.flatMap((part) => [
    [`${part.modality}_loss`, part.loss] as const,
    [`${part.modality}_unigram`, part.unigram] as const,
  ]);
  return {
    loss,
    layers: await readActivity(player, evaluate.layers, tokens * structure.topK),
    figures: {
      unigram_loss: unigram,
      ...Object.fromEntries(ofParts),
      ...(structure.classes > 1 && {
        class_accuracy: classes.classAccuracy,
        class_majority: classes.classMajority,
      }),
    },
  };
}
