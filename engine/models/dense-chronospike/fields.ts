import { textFields } from '../../datasets/text-fields.ts';
import { choice, type FieldsOf, flag, number, whole } from '../../families/fields.ts';
import { NEURON_TYPES } from './structure.ts';

/** What a user chooses about a dense_chronospike model, with the Small preset as first values. */
export const chronospikeFields = {
  d_model: whole(128, 1, 8192),
  n_heads: whole(4, 1, 256),
  num_blocks: whole(4, 1, 256),
  time_steps: whole(4, 1, 64),
  neuron_type: choice(...NEURON_TYPES),
  seq_len: whole(64, 2, 65_536),
  /** Longest time constant of a head, in tokens; 0: as long as a sequence. */
  longest_tau: number(0, 0, 1 << 20),
  /** Read the text in order, chunk by chunk, with the state of the attention carried along. */
  carry: flag(false),
  /** What a spike costs while energy gating is on, what a time step supplies, and the least that a spike needs. */
  energy_importance: number(1, 0, 255),
  energy_supply: number(5, 0, 255),
  energy_threshold: number(10, 0, 255),
  ...textFields,
};
export type ChronospikeFields = FieldsOf<typeof chronospikeFields>;
