import { chronospikePlan } from '../models/dense-chronospike/plan.ts';
import { transformerPlan } from '../models/standard-transformer/plan.ts';
import { sparsePlan } from '../models/sparse-event-memory/plan.ts';
import { multimodalPlan } from '../models/spiking-multimodal/plan.ts';
import type { Architecture } from './architectures.ts';
import type { FamilyPlan } from './family.ts';

/** What each family needs before it trains: traced and planned, without a device. */
export const familyPlans: Readonly<Record<Architecture, FamilyPlan>> = {
  dense_chronospike: chronospikePlan,
  standard_transformer: transformerPlan,
  sparse_event_memory: sparsePlan,
  spiking_multimodal: multimodalPlan,
};
