import type { Augmentation } from '../../data/captions/caption-batches.ts';

/**
 * How pairs are varied in training. Pictures are never mirrored: captions say left and right. Hidden
 * tokens make the picture worth looking at (Bowman et al. 2016: word dropout): some captions are seen
 * nearly whole, of others hardly more is told than the picture tells.
 */
export const augmentation: Augmentation = { shift: 2, contrast: 0.2, hidden: 1 };
