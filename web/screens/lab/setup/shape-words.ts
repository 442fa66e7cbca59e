import type { DataShape } from '../../../../engine/index.ts';
import type { LabText } from '../lab-text.ts';

/** The shape of a family's data in words; members without a translation appear by name. */
export function shapeWords({ t, format }: LabText, shape: DataShape): string[] {
  const words: Readonly<Record<string, (value: number) => string>> = {
    classes: (count) => t('shape.classes', { count }),
    vocabulary: (count) => t('shape.vocabulary', { count }),
    width: (width) => t('shape.pixels', { width, height: shape['height'] ?? width }),
    // Said with the width.
    height: () => '',
    channels: (count) => t(count === 1 ? 'shape.grey' : 'shape.coloured'),
    images: (has) => (has === 1 ? t('shape.images') : ''),
    sounds: (has) => (has === 1 ? t('shape.sounds') : ''),
  };
  return Object.entries(shape)
    .map(([name, value]) => words[name]?.(value) ?? `${name} ${format.integer(value)}`)
    .filter((said) => said !== '');
}
