import type { Backend } from '../../graph/backend.ts';
import type { StoredModel } from '../../checkpoint/checkpoint.ts';
import { EngineError } from '../../errors.ts';
import { energyOf, type SpikeUse } from '../../evaluation/spike-use.ts';
import { prefixesOf } from '../captioning/prefix.ts';
import { spikeUseOf } from '../dense-chronospike/spike-use.ts';
import type { FamilyReading } from '../family.ts';
import type { BatchedModel, BatchedModelOptions } from '../language/batched-model.ts';
import { checkSlots, createSlotModel, readingSizes } from '../language/slot-model.ts';
import { modelOf } from '../stored-model.ts';
import { multimodalStructureFrom } from './family.ts';
import {
  createCaptionContext,
  type PrefixReading,
  traceCaptionText,
  tracePrefixReading,
} from './reading-programs.ts';
import type { MultimodalStructure } from './structure.ts';

/** Plays that may be queued before the device is waited for. */
const QUEUE = 16;

/** Loads a model that writes a caption in each slot, behind the image and a sound that were read into it. */
async function openBatchedMultimodal(
  backend: Backend,
  stored: StoredModel,
  { slots, weights = 'float32' }: BatchedModelOptions,
): Promise<BatchedModel> {
  checkSlots(slots);
  checkWeights(weights);
  const { spec, layout, values } = modelOf(stored, 'spiking_multimodal');
  const structure = multimodalStructureFrom(spec);
  // One more than asked for: rows that nobody uses read into it.
  const context = createCaptionContext(layout, structure, slots + 1);
  const prefixes = tracePrefixReading(context);
  const programs = readingSizes(slots).map((rows) => traceCaptionText(context, rows));
  const observation = traceCaptionText(context, 1, { keepsSpikes: true });
  const loaded = [...prefixes, ...programs, observation].map(({ program }) => program);
  const player = await backend.load(layout, loaded);
  player.write(layout.values, values);
  return createSlotModel(player, {
    vocabulary: structure.trunk.vocabulary,
    slots,
    programs,
    observation,
    useOf: (counts, tokens) => captionUseOf(structure, counts, tokens),
    async prime(_, inputs, nextWord) {
      let read = 0;
      for (const reading of prefixes) {
        const numbers = inputs[reading.prefix.modality] ?? new Float32Array();
        for (const token of tokensOf(numbers, reading)) {
          player.write(reading.input, token.numbers);
          player.write(reading.positions, Uint32Array.of(token.position));
          player.write(reading.slots, nextWord());
          player.play(reading.program);
          read += 1;
          if (read % QUEUE === 0) await player.settled();
        }
      }
      return read;
    },
  });
}

/** The patches of an image or the frames of a sound, one after the other. */
function* tokensOf(numbers: Float32Array, { prefix: { features } }: PrefixReading) {
  for (let position = 0; position < numbers.length / features; position++) {
    const first = position * features;
    yield { position, numbers: numbers.subarray(first, first + features) };
  }
}

/** Spikes and energy of `tokens` tokens of a caption and of the prefix in front of them. */
function captionUseOf(
  structure: MultimodalStructure,
  counts: Uint32Array,
  tokens: number,
): SpikeUse {
  const { trunk } = structure;
  const prefixes = prefixesOf(structure);
  const inFront = prefixes.reduce((sum, prefix) => sum + prefix.tokens, 0);
  const own = spikeUseOf(trunk, counts.subarray(0, -1), tokens + inFront);
  const entering = counts.at(-1) ?? 0;
  const { width, steps } = trunk;
  // Numbers are multiplied into the currents of the neurons that patches and frames enter by.
  const products =
    prefixes.reduce((sum, prefix) => sum + prefix.tokens * prefix.features, 0) * width;
  const chances = own.rate > 0 ? own.total / own.rate : 0;
  const updates = inFront * width * steps;
  const synapticOps = entering * width;
  const denseMacs = products + inFront * width * width;
  const more = energyOf({ synapticOps, updates, products, denseMacs });
  const total = own.total + entering;
  return {
    total,
    rate: chances === 0 ? 0 : total / (chances + updates),
    breakEvenRate: own.breakEvenRate,
    synapticOps: own.synapticOps + synapticOps,
    denseMacs: own.denseMacs + denseMacs,
    energy: {
      computePj: own.energy.computePj + more.computePj,
      denseComputePj: own.energy.denseComputePj + more.denseComputePj,
      withMemoryPj: own.energy.withMemoryPj + more.withMemoryPj,
      denseWithMemoryPj: own.energy.denseWithMemoryPj + more.denseWithMemoryPj,
    },
  };
}

function checkWeights(weights: 'float32' | 'int8'): void {
  if (weights === 'float32') return;
  throw new EngineError(
    'invalid-setting',
    `weights is ${weights}: captions are written with the parameters as they are, expected float32`,
  );
}

export const reading: FamilyReading = {
  openBatched: openBatchedMultimodal,
};
