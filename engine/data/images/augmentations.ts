/**
 * How images differ each time that a network learns from them.
 *
 *   shift    moved by up to two pixels
 *   varied   also with a rectangle covered half of the time, and mirrored where the images of their class are
 *            symmetric on the whole
 *   none     not at all
 */
export const AUGMENTATIONS = ['shift', 'varied', 'none'] as const;
export type Augmentation = (typeof AUGMENTATIONS)[number];
