import { settingsOf } from '../../checkpoint/training-state.ts';
import { placesOf } from '../../data/captions/captions.ts';
import { withKnownCaptions } from '../../data/tokenizers/known-characters.ts';
import type { Evaluated, EvaluationWatch, OpenEvaluation } from '../../evaluation/evaluator.ts';
import type { StreamsSection } from '../../evaluation/report.ts';
import { leftOut } from '../../evaluation/sections.ts';
import { memoryOf } from '../../graph/program.ts';
import { writeBuffers } from '../../train/parameter-blocks.ts';
import { bufferTensors, layOutFixedPart } from '../sparse-event-memory/fixed-part.ts';
import { modelOf } from '../stored-model.ts';
import { createStreamAnswers, type StreamAnswers, type StreamCosts } from './answers.ts';
import { traceMemoriedEvaluation } from './programs.ts';
import { memoriedStructureFrom } from './family.ts';
import { createStreamGatherer, streamsOf } from './streams.ts';
import { backboneOf, streamTokens } from './structure.ts';
import { training } from './training.ts';

/** Judges a model by the streams of a part of the pairs, beside what token frequencies cost. */
export const openEvaluation: OpenEvaluation = async (sources) => {
  const { backend, stored, data, choice, signal } = sources;
  const { spec, layout, values, buffers, execution } = modelOf(stored, 'memoried_spikenetlm');
  const settings = settingsOf(execution, spec.architecture);
  const given = { base: stored, ...(signal && { signal }) };
  const read = await training.openData(data, settings, given);
  const known = withKnownCaptions(read.set, read.tokenizer);
  const opened = { ...read, set: known.set };
  const structure = memoriedStructureFrom(spec);
  const backbone = backboneOf(structure);
  const fixed = layOutFixedPart(backbone);
  const { batch } = settings;
  const shape = { batch, sequence: streamTokens(structure) };
  const evaluate = traceMemoriedEvaluation({ structure, layout, fixed }, shape);
  const streams = streamsOf(opened, structure);
  const gatherer = createStreamGatherer(streams, structure, batch);
  const player = await backend.load(layout, [evaluate.program]);
  player.write(layout.values, values);
  writeBuffers(player, bufferTensors(backbone, fixed), buffers);
  const places = placesOf(opened.set, choice.split);
  const answers = createStreamAnswers({ structure, evaluate, gatherer, streams, batch });
  const ask = (some: readonly number[]) => answers.ask(player, some);
  return {
    evaluator: {
      unit: 'caption',
      total: places.length,
      memory: { parameters: layout.blockBytes, ...memoryOf([evaluate.program]) },
      run: (watch) => judge({ answers, ask, places, batch, learned: opened.set.train }, watch),
      close: () => player.close(),
    },
    data: {
      name: opened.name,
      sha256: opened.digest,
      split: choice.split,
      first: 0,
      end: places.length,
      length: opened.length,
      ...leftOut(known.unknown),
    },
  };
};

interface Judged {
  readonly answers: StreamAnswers;
  readonly ask: (places: readonly number[]) => Promise<void>;
  readonly places: readonly number[];
  readonly learned: readonly number[];
  readonly batch: number;
}

async function judge(
  { answers, ask, places, learned, batch }: Judged,
  { signal, onProgress }: EvaluationWatch,
): Promise<Evaluated> {
  const started = performance.now();
  let done = 0;
  while (done < places.length) {
    if (signal?.aborted) break;
    const some = places.slice(done, done + batch);
    await ask(some);
    done += some.length;
    onProgress?.(done);
  }
  const seconds = (performance.now() - started) / 1000;
  return {
    done,
    seconds,
    findings: done > 0 ? { streams: sectionOf(answers.costs(learned)) } : {},
  };
}

function sectionOf({ parts, ...all }: StreamCosts): StreamsSection {
  return {
    tokens: all.tokens,
    nats_per_token: all.loss,
    unigram_nats_per_token: all.unigram,
    parts: parts.map(({ modality, tokens, loss, unigram }) => ({
      modality,
      tokens,
      nats_per_token: loss,
      unigram_nats_per_token: unigram,
    })),
    class_accuracy: all.classAccuracy,
    class_majority: all.classMajority,
  };
}
