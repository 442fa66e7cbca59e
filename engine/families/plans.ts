import { chronospikePlan } from '../models/dense-chronospike/plan.ts';
import { audioPlan } from '../models/spiking-audio/plan.ts';
import { visionPlan } from '../models/spiking-vision/plan.ts';
import { transformerPlan } from '../models/standard-transformer/plan.ts';
import { sparsePlan } from '../models/sparse-event-memory/plan.ts';
import { multimodalPlan } from '../models/spiking-multimodal/plan.ts';
import { memoriedPlan } from '../models/memoried-spikenet/plan.ts';
import type { Architecture } from './architectures.ts';
import type { FamilyPlan } from './family.ts';

/** What each family needs before it trains: traced and planned, without a device. */
export const familyPlans: Readonly<Record<Architecture, FamilyPlan>> = {
  dense_chronospike: chronospikePlan,
  spiking_vision: visionPlan,
  spiking_audio: audioPlan,
  standard_transformer: transformerPlan,
  sparse_event_memory: sparsePlan,
  spiking_multimodal: multimodalPlan,
  memoried_spikenetlm: memoriedPlan,
};
