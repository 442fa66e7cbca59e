import { textFields } from '../../data/text-fields.ts';
import { choice, type FieldsOf, whole } from '../../families/fields.ts';

/** What a user chooses about a dense_chronospike model, with the Small preset as first values. */
export const chronospikeFields = {
  d_model: whole(128, 1, 8192),
  n_heads: whole(4, 1, 256),
  num_blocks: whole(4, 1, 256),
  time_steps: whole(4, 1, 64),
  neuron_type: choice('LIF'),
  seq_len: whole(64, 2, 65_536),
  ...textFields,
};
export type ChronospikeFields = FieldsOf<typeof chronospikeFields>;
