import { choice, type FieldsOf, whole } from '../../families/fields.ts';
import { storedFields } from '../../families/stored-fields.ts';

/** What a user chooses about a spiking_vision model (spec/platform, rule 11). */
export const visionFields = {
  model_category: choice('classification'),
  model_variant: choice('conv', 'conv_plain', 'mlp'),
  output_dim: whole(10, 2, 256),
  time_steps: whole(4, 1, 256),
  ...storedFields,
};
export type VisionFields = FieldsOf<typeof visionFields>;
