import { controlsOf, settingsOf } from '../../checkpoint/training-state.ts';
import type { RunSettings } from '../../settings/run-settings.ts';
import { readFields } from '../../settings/fields.ts';
import type { FamilyTraining, TrainingOptions, TrainingRun } from '../family.ts';
import { modelOf } from '../stored-model.ts';
import { chronospikeFields } from './description.ts';
import { traceTraining } from './programs.ts';
import type { Player } from '../../backends/backend.ts';
import type { ModelSpec, StoredTraining } from '../../checkpoint/checkpoint.ts';
import type { TextData } from '../../checkpoint/run-data.ts';
import type { TokenizerReference } from '../../checkpoint/spec-members.ts';
import { tokenizerReferenceOf } from '../../checkpoint/tokenizer-bundle.ts';
import type { Corpus } from '../../data/corpus.ts';
import { openText } from '../../data/text-data.ts';
import type { AgreedRange } from '../../checkpoint/parameters-file.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { createTextGenerator, type TextGenerator } from '../language/generator.ts';
import { startTextRun } from '../language/text-run.ts';
import { distillationOf } from '../standard-transformer/distillation.ts';
import { firstClosedStep, takeGateFigures } from './energy.ts';
import { BETA_RANGE, rulesFor } from './neuron-rules.ts';
import { createObserver } from './observer.ts';
import { type Observer } from '../language/observer.ts';
import { createRuleState, type RuleState, startRules } from './ruled-neurons.ts';
import {
  checkSettings,
  chronospikeSettings,
  energyOf,
  runSettingsOf,
  type TrainingSettings,
} from './settings.ts';
import { type ChronospikeSpec, modelSpecOf, structureFromSpec } from './spec.ts';
import { traceRun } from './trace-run.ts';

/** What a dense_chronospike run is given. */
export interface ChronospikeOptions extends Omit<TrainingOptions, 'settings'> {
  readonly corpus: Corpus;
  readonly settings: TrainingSettings;
}

/** A run of dense_chronospike: it writes, and its neurons can be looked at. */
export interface ChronospikeRun extends TrainingRun {
  readonly settings: RunSettings<'dense_chronospike'>;
  readonly generator: TextGenerator;
  readonly observer: Observer;
}

/** Prepares a run: splits the text, traces and compiles the programs, sets or restores the parameters. */
export async function createTrainingRun(options: ChronospikeOptions): Promise<ChronospikeRun> {
  const { corpus, settings, controls, ...rest } = options;
  checkSettings(settings);
  const { resume } = options;
  const rules = { ...controls, lossOf: distillationOf(options, corpus, settings.sequence) };
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
    trainingBuffers: [...state.kept.values(), ...train.carried].map((tensor) => {
      const { name, shape } = tensor;
      return { name, shape, dtype: 'F32', tensor, agreed: rangeOf(tensor, state) };
    }),
    start: (player) => startRules(player, state, structure.beta),
    figures: (player) => takeGateFigures(player, state.gates.values()),
    describe: async (player) => withBeta(spec(tokenizer), await movedBeta(player, state)),
    views: (player) => ({
      generator: createTextGenerator(player, generate, corpus.tokenizer),
      observer: createObserver(player, observe, structure),
    }),
  });
  // Both were asked for above.
  return run as ChronospikeRun;
}

const isChronospikeSpec = (spec: ModelSpec): spec is ChronospikeSpec =>
  spec.architecture === 'dense_chronospike';

/** LIF's beta of the model that a run goes on from: rewards may have moved it. */
function betaOf({ spec }: StoredTraining): number | undefined {
  return isChronospikeSpec(spec) ? spec.core.beta : undefined;
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

export const training: FamilyTraining<TextData> = {
  openData: openText,
  createRun: ({ settings, ...rest }, { corpus }) =>
    createTrainingRun({ ...rest, settings: chronospikeSettings(settings), corpus }),
  stepPrograms(stored) {
    const { layout, spec, execution } = modelOf(stored, 'dense_chronospike');
    const { batch, fields } = settingsOf(execution, spec.architecture);
    const shape = { batch, sequence: spec.core.seq_len };
    const structure = structureFromSpec(spec);
    const controls = controlsOf(execution);
    const energy = energyOf(readFields(spec.architecture, chronospikeFields, fields));
    const state = createRuleState(structure, rulesFor(structure, controls), energy);
    const carry = fields['carry'] === true;
    return [traceTraining(layout, structure, shape, { ...controls, state, carry }).program];
  },
  energyGate(stored) {
    const { spec, execution } = modelOf(stored, 'dense_chronospike');
    const controls = controlsOf(execution);
    if (!controls.energyGating) return 'energy gating off';
    const { fields } = settingsOf(execution, spec.architecture);
    const energy = energyOf(readFields(spec.architecture, chronospikeFields, fields));
    const { importance, supply, threshold } = energy;
    const costs =
      `a spike costs ${importance} and needs ${threshold} of 255, a time step supplies ${supply} ` +
      `(reward ${controls.rewardMode})`;
    const chances = spec.time_steps * spec.core.seq_len;
    const first = firstClosedStep(energy, controls);
    if (first === undefined || first >= chances) {
      return `energy gates cannot close in the ${chances} time steps of a sequence and are left out: ${costs}`;
    }
    return `energy gates can close from time step ${first + 1} of ${chances} on: ${costs}`;
  },
};
