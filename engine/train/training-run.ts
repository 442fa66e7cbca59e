import type { Player } from '../graph/backend.ts';
import type { StoredTraining } from '../checkpoint/checkpoint.ts';
import type { TokenizerReference } from '../checkpoint/spec-members.ts';
import { tokenizerReferenceOf } from '../checkpoint/tokenizer-bundle.ts';
import type { Corpus } from '../data/corpus/corpus.ts';
import type { AgreedRange } from '../families/stored-family.ts';
import type { Tensor } from '../graph/tensor.ts';
import { createTextGenerator, type TextGenerator } from '../models/dense-chronospike/generator.ts';
import { takeGateFigures } from '../models/dense-chronospike/energy.ts';
import { BETA_RANGE } from '../models/dense-chronospike/neuron-rules.ts';
import { createObserver, type Observer } from '../models/dense-chronospike/observer.ts';
import { type RuleState, startRules } from '../models/dense-chronospike/ruled-neurons.ts';
import { type ChronospikeSpec, modelSpecOf } from '../models/dense-chronospike/spec.ts';
import { lessonOf } from './distillation.ts';
import { traceRun } from './plan-training.ts';
import type { RunOptions, TrainingRun } from './run.ts';
import { checkSettings, runSettingsOf, type TrainingSettings } from './settings.ts';
import { startTextRun } from './text-run.ts';

/** What a dense_chronospike run is given. */
export interface TrainingOptions extends Omit<RunOptions, 'settings'> {
  readonly corpus: Corpus;
  readonly settings: TrainingSettings;
}

/** A run of dense_chronospike: it writes, and its neurons can be looked at. */
export interface ChronospikeRun extends TrainingRun {
  readonly generator: TextGenerator;
  readonly observer: Observer;
}

/** Prepares a run: splits the text, traces and compiles the programs, sets or restores the parameters. */
export async function createTrainingRun(options: TrainingOptions): Promise<ChronospikeRun> {
  const { corpus, settings, controls, ...rest } = options;
  checkSettings(settings);
  const { resume } = options;
  const rules = { ...controls, lossOf: lessonOf(options, corpus, settings.sequence) };
  const traced = traceRun(settings, rules, corpus.tokenizer.size, resume && betaOf(resume));
  const { structure, state, train, generate, observe } = traced;
  const { sequence } = settings;
  const spec = (tokenizer: TokenizerReference) => modelSpecOf(structure, sequence, tokenizer);
  const tokenizer = tokenizerReferenceOf(corpus.tokenizer);
  const run = await startTextRun({ ...rest, controls, settings: runSettingsOf(settings) }, corpus, {
    ...traced,
    sequence,
    timeSteps: settings.steps,
    spec,
    keptForTraining: [...state.kept.values(), ...train.carried].map((tensor) => {
      const { name, shape } = tensor;
      return { name, shape, dtype: 'F32', tensor, agreed: rangeOf(tensor, state) };
    }),
    start: (player) => startRules(player, state, structure.beta),
    figures: (player) => takeGateFigures(player, state.gates.values()),
    describe: async (player) => withBeta(spec(tokenizer), await movedBeta(player, state)),
    generator: (player) => createTextGenerator(player, generate, corpus.tokenizer),
    observer: (player) => createObserver(player, observe, structure),
  });
  // Both were asked for above.
  return run as ChronospikeRun;
}

/** LIF's beta of the model that a run goes on from: rewards may have moved it. */
function betaOf({ spec }: StoredTraining): number | undefined {
  return spec.architecture === 'dense_chronospike' ? spec.core.beta : undefined;
}

/** Only beta is part of the model; means and supply follow from the losses that a member sees. */
function rangeOf(tensor: Tensor, { beta }: RuleState): AgreedRange | undefined {
  return tensor === beta ? BETA_RANGE : undefined;
}

/** The beta that rewards have moved so far; undefined where they move none. */
async function movedBeta(player: Player, { beta }: RuleState): Promise<number | undefined> {
  return beta && (await player.read(beta))[0];
}

function withBeta(spec: ChronospikeSpec, beta: number | undefined): ChronospikeSpec {
  return beta === undefined ? spec : { ...spec, core: { ...spec.core, beta } };
}
