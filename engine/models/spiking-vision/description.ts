import { describeFamily } from '../../settings/description.ts';
import { recipe, recipes } from '../../settings/recipes.ts';
import { choice, type FieldsOf, whole } from '../../settings/fields.ts';
import { AUGMENTATIONS } from '../../data/augmentations.ts';
import { storedFields } from '../../settings/stored-fields.ts';

/** Fields of a spiking_vision model (spec/platform, rule 11). */
export const visionFields = {
  model_category: choice('classification'),
  model_variant: choice('conv', 'conv_plain', 'mlp'),
  output_dim: whole(10, 2, 256),
  time_steps: whole(4, 1, 256),
  ...storedFields,
  augmentation: choice(...AUGMENTATIONS),
};
export type VisionFields = FieldsOf<typeof visionFields>;

export const visionDescription = describeFamily({
  architecture: 'spiking_vision',
  rank: 5,
  name: 'VisionSNN',
  title: { en: 'Spiking image classifier', ja: 'スパイキング画像分類器' },
  category: 'Vision',
  fields: visionFields,
  dataFields: [],

  presets: recipes({
    tiny: recipe(
      { model_variant: 'mlp', time_steps: 8, augmentation: 'plain' },
      [128, 2e-3],
      '97.8 % of MNIST after 1,000 steps',
    ),
    small: recipe(
      { model_variant: 'conv', time_steps: 2, augmentation: 'varied' },
      [64, 2e-3, { average: 0.05 }],
      '87.4 % of held-out Fashion-MNIST images after 1,500 steps on 8,000 others',
    ),
    base: recipe(
      { model_variant: 'conv', time_steps: 8, augmentation: 'plain' },
      [32, 2e-3],
      '80.2 % of MNIST after 30 steps',
    ),
    large: recipe(
      { model_variant: 'conv', time_steps: 16, augmentation: 'plain' },
      [32, 2e-3],
      'training loss 2.32 to 1.62 in 12 steps',
    ),
  }),
});
