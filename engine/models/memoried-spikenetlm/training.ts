import { modelOf } from '../stored-model.ts';
import { tokenizerReferenceOf } from '../../checkpoint/tokenizer-bundle.ts';
import { captionTokenizer, createCaptionSampler } from '../../data/captions/batches.ts';
import { openCaptions } from '../../data/captions/open-captions.ts';
import { sequenceFloors } from '../../evaluation/floors.ts';
import type { RunData } from '../../checkpoint/run-data.ts';
import type { FamilyTraining } from '../family.ts';
import { controlsOf, settingsOf } from '../../checkpoint/training-state.ts';
import { backboneLearning } from '../sparse-event-memory/settings.ts';
import { layOutParameters } from '../../graph/parameters.ts';
import { checkResume } from '../../train/resume.ts';
import type { BatchFeed } from '../../train/run.ts';
import type { TrainingOptions } from '../family.ts';
import { startFamilyRun } from '../start-run.ts';
import type { TrainingControls } from '../../settings/controls.ts';
import { layOutFixedPart } from '../sparse-event-memory/fixed-part.ts';
import { bufferTensors, startFixedPart } from '../sparse-event-memory/kept.ts';
import { codebookDigests, codebooksOf, codebookBuffers } from './codebooks.ts';
import { fitCodebooks } from './coding.ts';
import { memoriedParameters } from './parameters.ts';
import {
  type MemoriedTrainProgram,
  traceMemoriedEvaluation,
  traceMemoriedTraining,
} from './programs.ts';
import {
  memoriedFieldsOf,
  type MemoriedSettings,
  memoriedSettings,
  streamOptions,
} from './settings.ts';
import { memoriedSpecOf, memoriedStructureFrom } from './spec.ts';
import {
  createStreamGatherer,
  labelsOf,
  type StreamGatherer,
  streamsOf,
  type StreamSource,
} from './streams.ts';
import { backboneOf, streamTokens } from './structure.ts';
import { writeStreams } from './answers.ts';
import { validateStreams } from './validation.ts';

/** Captioned pictures, sounds or both, and what makes streams of them. */
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
      floors() {
        const parts = { counted: idsOf(set.train), asked: idsOf(set.test) };
        return Promise.resolve(sequenceFloors(backbone.vocabulary, 2, parts));
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
