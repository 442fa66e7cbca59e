import type { Player } from '../../graph/backend.ts';
import type { ModelSpec, StoredTraining } from '../../checkpoint/checkpoint.ts';
import type { AgreedRange } from '../../checkpoint/parameters-file.ts';
import type { TextData } from '../../checkpoint/run-data.ts';
import type { TokenizerReference } from '../../checkpoint/spec-members.ts';
import { tokenizerReferenceOf } from '../../checkpoint/tokenizer-bundle.ts';
import { controlsOf, settingsOf } from '../../checkpoint/training-state.ts';
import type { Corpus } from '../../data/corpus/corpus.ts';
import { openText } from '../../datasets/text-data.ts';
import { EngineError } from '../../errors.ts';
import { layOutParameters } from '../../graph/parameters.ts';
import { type Tensor, wordsPerRow } from '../../graph/tensor.ts';
import type { TrainingControls } from '../../settings/controls.ts';
import { readFields } from '../../settings/fields.ts';
import type { RunSettings } from '../../settings/run-settings.ts';
import type { FamilyTraining, TrainingOptions, TrainingRun } from '../family.ts';
import { createTextGenerator, type Observer, type TextGenerator } from '../language/generator.ts';
import type { StepRules } from '../language/loss-rule.ts';
import { startTextRun } from '../language/text-run.ts';
import { distillationOf } from '../standard-transformer/distillation.ts';
import { modelOf } from '../stored-model.ts';
import { chronospikeFields } from './description.ts';
import { firstClosedStep, takeGateFigures } from './energy.ts';
import { type ChronospikeSpec, modelSpecOf, structureFromSpec } from './family.ts';
import { BETA_RANGE, rulesFor } from './neuron-rules.ts';
import { shownThreshold } from './neurons.ts';
import {
  type ObserveProgram,
  traceEvaluation,
  traceObservation,
  traceStream,
  traceTraining,
} from './programs.ts';
import { traceGeneration } from './reading-programs.ts';
import { createRuleState, type RuleState, startRules } from './ruled-neurons.ts';
import {
  checkpointsOf,
  checkSettings,
  chronospikeSettings,
  energyOf,
  runSettingsOf,
  structureOf,
  type TrainingSettings,
} from './settings.ts';
import { chronospikeParameters, type ChronospikeStructure } from './structure.ts';

/** Options of a dense_chronospike run. */
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
  const rules = { ...controls, lossOf: distillationOf(options, corpus, settings) };
  const traced = traceRun(settings, rules, corpus.tokenizer.size, resume && betaOf(resume));
  const { structure, state, train, generate, observe } = traced;
  const { sequence } = settings;
  const spec = (tokenizer: TokenizerReference) => modelSpecOf(structure, sequence, tokenizer);
  const tokenizer = tokenizerReferenceOf(corpus.tokenizer);
  const run = await startTextRun({ ...rest, controls, settings: runSettingsOf(settings) }, corpus, {
    ...traced,
    sequence,
    timeSteps: settings.steps,
    ngramOrder: settings.ngramOrder,
    spec,
    trainingBuffers: [...state.kept.values(), ...train.carried].map((tensor) => {
      const { name, shape } = tensor;
      return { name, shape, dtype: 'F32', tensor, agreed: rangeOf(tensor, state) };
    }),
    start: (player) => startRules(player, state, structure.beta),
    figures: (player) => takeGateFigures(player, state.gates.values()),
    describe: async (player) => withBeta(spec(tokenizer), await movedBeta(player, state)),
    views: (player, tables) => ({
      generator: createTextGenerator(player, generate, corpus.tokenizer, tables),
      observer: createObserver(player, observe, structure),
    }),
  });
  // Both were asked for above.
  return run as ChronospikeRun;
}

const isChronospikeSpec = (spec: ModelSpec): spec is ChronospikeSpec =>
  spec.architecture === 'dense_chronospike';

/** LIF's beta of the model that a run continues from: rewards may have moved it. */
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
    const read = readFields(spec.architecture, chronospikeFields, fields);
    const structure = { ...structureFromSpec(spec), checkpoints: checkpointsOf(read) };
    const controls = controlsOf(execution);
    const energy = energyOf(read);
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

/** Everything that a run plays, traced; `beta` is that of the model it continues from. */
export function traceRun(
  settings: TrainingSettings,
  controls: TrainingControls & Pick<StepRules, 'lossOf'>,
  vocabulary: number,
  beta?: number,
) {
  const structure = { ...structureOf(settings, vocabulary), ...(beta !== undefined && { beta }) };
  const layout = layOutParameters(chronospikeParameters(structure));
  const shape = { batch: settings.batch, sequence: settings.sequence };
  const { carry = false, sequence } = settings;
  const state = createRuleState(structure, rulesFor(structure, controls), settings.energy);
  const train = traceTraining(layout, structure, shape, { ...controls, state, carry });
  const evaluate = traceEvaluation(layout, structure, shape, state.beta);
  const generate = traceGeneration(layout, structure, state.beta);
  const observe = traceObservation(layout, structure, sequence, state.beta);
  const stream = carry ? traceStream(layout, structure, shape, state.beta) : undefined;
  const traced = [train, train.early, evaluate, generate, observe, stream];
  const others = train.groups?.slice(1) ?? [];
  const programs = [...traced.flatMap((one) => (one ? [one.program] : [])), ...others];
  const all = { structure, layout, shape, state, train, evaluate, generate, observe, programs };
  return { ...all, ...(stream && { stream }) };
}

function createObserver(
  player: Player,
  { program, ids: input, layers }: ObserveProgram,
  structure: ChronospikeStructure,
): Observer {
  const sequence = input.shape[0] ?? 0;
  const { steps } = structure;
  return {
    layers: layers.map(({ name }) => name),
    sequence,
    async observe(ids, layer) {
      const found = layers.find(({ name }) => name === layer);
      if (!found) {
        const names = layers.map(({ name }) => name).join(', ');
        throw new EngineError(
          'invalid-setting',
          `there is no layer ${layer}: expected one of ${names}`,
        );
      }
      player.write(input, ids);
      player.play(program);
      const [membranes, spikes, units] = await Promise.all([
        player.read(found.membrane),
        player.read(found.spikes),
        found.thresholds && player.read(found.thresholds),
      ]);
      if (units) inUnits(membranes, units);
      const neurons = found.membrane.shape.at(-1) ?? 0;
      return {
        name: layer,
        neurons,
        times: sequence * steps,
        spikes: byTime(spikes as Uint32Array, steps, wordsPerRow(neurons)),
        membranes: byTime(membranes as Float32Array, steps, neurons),
        threshold: shownThreshold(structure),
      };
    },
  };
}

/** Divides rows of membranes by the unit of each neuron. */
function inUnits(membranes: Float32Array | Uint32Array, units: Float32Array | Uint32Array): void {
  for (const [i, membrane] of membranes.entries()) {
    membranes[i] = membrane / (units[i % units.length] ?? 1);
  }
}

/** From `[step][token][width]`, as the device holds it, to `[token][step][width]`, as time runs. */
function byTime<A extends Float32Array | Uint32Array>(rows: A, steps: number, width: number): A {
  const ordered = rows.slice() as A;
  const tokens = rows.length / width / steps;
  for (let step = 0; step < steps; step++) {
    for (let token = 0; token < tokens; token++) {
      const from = (step * tokens + token) * width;
      ordered.set(rows.subarray(from, from + width), (token * steps + step) * width);
    }
  }
  return ordered;
}
