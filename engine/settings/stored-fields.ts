import type { WeightForm } from '../checkpoint/stored-weights.ts';
import { PRIVACY_LEVELS, type PrivacyLevel } from '../train/privacy/privacy-levels.ts';
import { choice } from './fields.ts';

/** Fields of families whose models are stored in fewer digits or trained privately. */
export const storedFields = {
  precision: choice('f32', 'f16'),
  quantization: choice('none', 'int8'),
  privacy_level: choice(...PRIVACY_LEVELS),
};

export interface StoredFields extends WeightForm {
  readonly privacy_level: PrivacyLevel;
}
