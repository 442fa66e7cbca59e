import { EngineError } from '../errors.ts';
import type { TrainingPlan } from '../train/plan-programs.ts';
import type { RunOptions } from '../train/run.ts';
import type { Architecture } from './architectures.ts';
import type { ModelFamily, RunData } from './family.ts';

/** Each family's code, loaded when it is first asked for: a page need not have all of them. */
const loaders: Readonly<Record<Architecture, () => Promise<ModelFamily>>> = {
  dense_chronospike: async () => {
    const { chronospikeFamily } = await import('../models/dense-chronospike/family.ts');
    return erased(chronospikeFamily);
  },
  spiking_vision: async () => {
    const { visionFamily } = await import('../models/spiking-vision/family.ts');
    return erased(visionFamily);
  },
  spiking_audio: async () => {
    const { audioFamily } = await import('../models/spiking-audio/family.ts');
    return erased(audioFamily);
  },
  standard_transformer: async () => {
    const { transformerFamily } = await import('../models/standard-transformer/family.ts');
    return erased(transformerFamily);
  },
  sparse_event_memory: async () => {
    const { sparseFamily } = await import('../models/sparse-event-memory/family.ts');
    return erased(sparseFamily);
  },
  spiking_multimodal: async () => {
    const { multimodalFamily } = await import('../models/spiking-multimodal/family.ts');
    return erased(multimodalFamily);
  },
  memoried_spikenetlm: async () => {
    const { memoriedFamily } = await import('../models/memoried-spikenet/family.ts');
    return erased(memoriedFamily);
  },
};

/** A family as the doors see it: whatever its data is, they hand in what its own `openData` gave. */
function erased<Data extends RunData>(family: ModelFamily<Data>): ModelFamily {
  const sure: ModelFamily<Data> = {
    ...family,
    async createRun(options, data) {
      requireAddresses(options, family.plan(options.settings, options.controls, data.shape));
      return family.createRun(options, data);
    },
  };
  return sure as unknown as ModelFamily;
}

/** WASM addresses no more than this. */
const WASM_BYTES = 2 ** 32;

/**
 * Refuses a run that no device of this kind can hold before it is traced: of one as large, the trace alone
 * would take the memory of the machine. Throws EngineError `out-of-memory`.
 */
function requireAddresses(
  { backend: { device } }: Pick<RunOptions, 'backend'>,
  { memoryBytes, breakdown }: TrainingPlan,
): void {
  const { maxBlockBytes = Infinity } = device;
  const isTooLarge = device.backend === 'wasm' && memoryBytes > WASM_BYTES;
  if (!isTooLarge && breakdown.parameters <= maxBlockBytes) return;
  const [needed, most] = isTooLarge
    ? [memoryBytes, WASM_BYTES]
    : [breakdown.parameters, maxBlockBytes];
  throw new EngineError(
    'out-of-memory',
    `the run needs ${needed} bytes on ${device.label}: expected at most ${most}`,
  );
}

export function loadFamily(architecture: Architecture): Promise<ModelFamily> {
  return loaders[architecture]();
}
