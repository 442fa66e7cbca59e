import { choice } from './fields.ts';

/** Levels of privacy by name; the last protects most. */
export const PRIVACY_LEVELS = ['none', 'low', 'medium', 'high'] as const;
export type PrivacyLevel = (typeof PRIVACY_LEVELS)[number];

/** Fields of families whose models are stored in fewer digits or trained privately. */
export const storedFields = {
  precision: choice('f32', 'f16'),
  quantization: choice('none', 'int8'),
  privacy_level: choice(...PRIVACY_LEVELS),
};
