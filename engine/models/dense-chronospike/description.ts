import { NEURON_LIMITS } from '../../neurons/limits.ts';
import { describeFamily } from '../../settings/description.ts';
import { recipe, SLOW, textRecipes, trunkSizes } from '../../settings/recipes.ts';
import { ngramField, textFields } from '../../datasets/text-fields.ts';
import { choice, type FieldsOf, flag, number, text, whole } from '../../settings/fields.ts';
import { NEURON_TYPES } from './structure.ts';

/** Fields of a dense_chronospike model, with the Small preset as first values. */
export const chronospikeFields = {
  d_model: whole(128, 1, 8192),
  n_heads: whole(4, 1, 256),
  num_blocks: whole(4, 1, 256),
  time_steps: whole(4, 1, 64),
  neuron_type: choice(...NEURON_TYPES),
  /** Equations that stand in place of the neuron_type. */
  neuron_equations: text(NEURON_LIMITS.characters),
  /** `sqrt`: gradients through time keep the states of 2 sqrt(T) steps instead of T, and take longer. */
  checkpoints: choice('none', 'sqrt'),
  seq_len: whole(64, 2, 65_536),
  /** Longest time constant of a head, in tokens; 0: as long as a sequence. */
  longest_tau: number(0, 0, 1 << 20),
  /** Read the text in order, chunk by chunk, with the state of the attention carried along. */
  carry: flag(false),
  ngram_order: ngramField,
  /** Energy gating: cost of a spike, supply per time step, and the minimum that a spike needs. */
  energy_importance: number(1, 0, 255),
  energy_supply: number(5, 0, 255),
  energy_threshold: number(10, 0, 255),
  ...textFields,
};
export type ChronospikeFields = FieldsOf<typeof chronospikeFields>;

export const chronospikeDescription = describeFamily({
  architecture: 'dense_chronospike',
  rank: 1,
  name: 'SpikingEvoTextLM',
  title: { en: 'Spiking text model', ja: 'スパイキング・テキストモデル' },
  category: 'LangText',
  fields: chronospikeFields,
  dataFields: Object.keys(textFields),
  isObserved: true,
  takesTokenizer: true,
  presets: textRecipes(
    {
      tiny: recipe(
        { ...trunkSizes(32, 2, 1, 2), seq_len: 32 },
        [8, 1e-2, SLOW],
        '1.986 nats a character of tinyshakespeare after 20,000 steps',
      ),
      small: recipe(
        { ...trunkSizes(128, 4, 4, 4), seq_len: 64 },
        [4, 6e-3, SLOW],
        '1.645 nats a character of tinyshakespeare after 3 minutes',
      ),
      base: recipe(
        { ...trunkSizes(256, 8, 6, 4), seq_len: 128 },
        [4, 4e-3, SLOW],
        '2.306 nats a character of tinyshakespeare after 60 steps',
      ),
      large: recipe(
        { ...trunkSizes(512, 8, 12, 4), seq_len: 256 },
        [1, 2e-3, SLOW],
        'training loss 4.22 to 3.33 in 6 steps',
      ),
    },
    recipe(
      { ...trunkSizes(128, 4, 4, 2), seq_len: 64 },
      [4, 6e-3, SLOW],
      '1.626 nats a character of tinyshakespeare after 3 minutes',
    ),
  ),
});
