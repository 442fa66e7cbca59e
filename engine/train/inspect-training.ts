import { modelOf, type StoredTraining } from '../checkpoint/checkpoint.ts';
import type { SpecOf } from '../checkpoint/model-spec.ts';
import { controlsOf, settingsOf } from '../checkpoint/training-state.ts';
import type { Architecture } from '../families/architectures.ts';
import { readFields } from '../families/fields.ts';
import type { Program } from '../graph/program.ts';
import { traceCaptionTraining } from '../models/captioning/caption-model.ts';
import { type Classifier, traceTraining as traceClassifier } from '../models/classifier.ts';
import { chronospikeFields } from '../models/dense-chronospike/fields.ts';
import { traceTraining } from '../models/dense-chronospike/programs.ts';
import { firstClosedStep } from '../models/dense-chronospike/energy.ts';
import { rulesFor } from '../models/dense-chronospike/neuron-rules.ts';
import { createRuleState } from '../models/dense-chronospike/ruled-neurons.ts';
import { structureFromSpec } from '../models/dense-chronospike/spec.ts';
import { traceMemoriedTraining } from '../models/memoried-spikenet/programs.ts';
import { memoriedFieldsOf } from '../models/memoried-spikenet/settings.ts';
import { memoriedStructureFrom } from '../models/memoried-spikenet/spec.ts';
import { backboneOf, streamTokens } from '../models/memoried-spikenet/structure.ts';
import { tracePrivateTraining } from '../models/private-classifier.ts';
import { layOutFixedPart } from '../models/sparse-event-memory/fixed-part.ts';
import { sparseModelOf } from '../models/sparse-event-memory/load.ts';
import { traceSparseTraining } from '../models/sparse-event-memory/programs.ts';
import { backboneLearning, sparseSettings } from '../models/sparse-event-memory/settings.ts';
import { spikingAudio } from '../models/spiking-audio/classifier.ts';
import { audioStructureFromSpec } from '../models/spiking-audio/spec.ts';
import { captionModelOf } from '../models/spiking-multimodal/caption-model.ts';
import { multimodalStructureFrom } from '../models/spiking-multimodal/spec.ts';
import { visionStructureFromSpec } from '../models/spiking-vision/spec.ts';
import { visionClassifier } from '../models/spiking-vision/structure.ts';
import { traceTransformerTraining } from '../models/standard-transformer/programs.ts';
import { energyOf } from './settings.ts';
import { transformerFromSpec } from '../models/standard-transformer/spec.ts';

type StepOf<A extends Architecture> = (stored: StoredTraining<SpecOf<A>>) => readonly Program[];

const steps: { readonly [A in Architecture]: StepOf<A> } = {
  dense_chronospike({ layout, spec, execution }) {
    const { batch, fields } = settingsOf(execution, spec.architecture);
    const shape = { batch, sequence: spec.core.seq_len };
    const structure = structureFromSpec(spec);
    const controls = controlsOf(execution);
    const energy = energyOf(readFields(spec.architecture, chronospikeFields, fields));
    const state = createRuleState(structure, rulesFor(structure, controls), energy);
    const carry = fields['carry'] === true;
    return [traceTraining(layout, structure, shape, { ...controls, state, carry }).program];
  },
  standard_transformer({ layout, spec, execution }) {
    const { batch } = settingsOf(execution, spec.architecture);
    const structure = transformerFromSpec(spec);
    return [traceTransformerTraining(layout, structure, batch, controlsOf(execution)).program];
  },
  sparse_event_memory(stored) {
    const { spec, execution } = stored;
    const settings = settingsOf(execution, spec.architecture);
    const { learning, shape } = sparseSettings(settings, spec.vocab_size);
    const controls = controlsOf(execution);
    return [traceSparseTraining(sparseModelOf(stored), shape, controls, learning).program];
  },
  spiking_multimodal({ spec, execution }) {
    const { batch } = settingsOf(execution, spec.architecture);
    const model = captionModelOf(multimodalStructureFrom(spec));
    return [traceCaptionTraining(model, batch, controlsOf(execution)).program];
  },
  memoried_spikenetlm({ layout, spec, execution }) {
    const settings = settingsOf(execution, spec.architecture);
    const structure = memoriedStructureFrom(spec);
    const fixed = layOutFixedPart(backboneOf(structure));
    const shape = { batch: settings.batch, sequence: streamTokens(structure) };
    const learning = backboneLearning(memoriedFieldsOf(settings));
    const model = { structure, layout, fixed };
    return [traceMemoriedTraining(model, shape, controlsOf(execution), learning).program];
  },
  spiking_vision: (stored) =>
    classifierStep(stored, visionClassifier(visionStructureFromSpec(stored.spec))),
  spiking_audio: (stored) =>
    classifierStep(stored, spikingAudio(audioStructureFromSpec(stored.spec))),
};

/** Where the energy gate of a stored run acts while it learns, in a sentence; undefined for a family without one. */
export function energyGateOf({ spec, execution }: StoredTraining): string | undefined {
  if (spec.architecture !== 'dense_chronospike') return undefined;
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
}

/** The programs of a training step of a stored run, traced and planned but not loaded: for looking at. */
export function inspectTraining(stored: StoredTraining): readonly Program[] {
  return stepOf(stored, stored.spec.architecture);
}

function stepOf<A extends Architecture>(stored: StoredTraining, architecture: A) {
  // A training is a model with its moments; which family it is of has been asked.
  return steps[architecture](modelOf(stored, architecture) as StoredTraining<SpecOf<A>>);
}

/** A private run plays a program for each example, then one for the step. */
function classifierStep(
  { spec, execution }: StoredTraining,
  classifier: Classifier<unknown>,
): readonly Program[] {
  const { batch } = settingsOf(execution, spec.architecture);
  const controls = controlsOf(execution);
  const { privacy } = execution;
  if (!privacy) return [traceClassifier(classifier, batch, controls).program];
  const { noise_multiplier: noise, clip_norm: clipNorm } = privacy;
  const { example, train } = tracePrivateTraining(classifier, { noise, clipNorm, batch }, controls);
  return [example.program, train.program];
}
