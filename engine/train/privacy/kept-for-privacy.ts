import type { KeptSpec } from '../../families/stored-family.ts';
import type { PrivacyLevel } from './privacy-levels.ts';

/** The clock of the noise, whose last two words are the secret key: for whoever goes on, not for readers. */
export const PRIVATE_CLOCK: KeptSpec = { name: 'private.clock', dtype: 'U32', shape: [4] };

/** What only the training of a private model needs, beside the moments. */
export function keptForPrivacy(level: PrivacyLevel): readonly KeptSpec[] {
  return level === 'none' ? [] : [PRIVATE_CLOCK];
}
