import { storedChronospike } from '../models/dense-chronospike/stored.ts';
import { storedAudio } from '../models/spiking-audio/stored.ts';
import { storedVision } from '../models/spiking-vision/stored.ts';
import { storedTransformer } from '../models/standard-transformer/stored.ts';
import { storedSparse } from '../models/sparse-event-memory/stored.ts';
import { storedMultimodal } from '../models/spiking-multimodal/stored.ts';
import { storedMemoried } from '../models/memoried-spikenet/stored.ts';
import type { Architecture } from './architectures.ts';

/** How the models of each family are stored. A new family is a line here, in `architectures.ts` and in `families.ts`. */
export const storedFamilies = {
  dense_chronospike: storedChronospike,
  spiking_vision: storedVision,
  spiking_audio: storedAudio,
  standard_transformer: storedTransformer,
  sparse_event_memory: storedSparse,
  spiking_multimodal: storedMultimodal,
  memoried_spikenetlm: storedMemoried,
} as const satisfies Record<Architecture, unknown>;
