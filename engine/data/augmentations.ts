/**
 * How images and sounds differ each time that a network learns from them.
 *
 *   plain    images are moved by up to two pixels, sounds get noise
 *   varied   besides, images have a rectangle covered half of the time, and are mirrored where those of their class are
 *            symmetric on the whole; sounds have another voice and another pace
 *   none     not at all
 */
export const AUGMENTATIONS = ['plain', 'varied', 'none'] as const;
export type Augmentation = (typeof AUGMENTATIONS)[number];
