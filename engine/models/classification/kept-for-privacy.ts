import type { BufferSpec } from '../../checkpoint/parameters-file.ts';
import type { PrivacyLevel } from '../../settings/stored-fields.ts';

/** The clock of the noise, whose last two words are the secret key: needed to resume, never published. */
export const PRIVATE_CLOCK: BufferSpec = { name: 'private.clock', dtype: 'U32', shape: [4] };

/** Buffers of the training of a private model, beside the moments. */
export function privacyBuffers(level: PrivacyLevel): readonly BufferSpec[] {
  return level === 'none' ? [] : [PRIVATE_CLOCK];
}
