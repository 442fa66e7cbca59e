import type { Surrogate } from '../../graph/kernel-attributes.ts';

/** What makes one spiking classifier of sounds differ from another in shape or dynamics. */
export interface SpikingAudioStructure {
  /** Frames of a sound. */
  readonly frames: number;
  /** Numbers of a frame, such as its MFCC. */
  readonly features: number;
  /** Recurrent neurons. */
  readonly hidden: number;
  readonly classes: number;
  /** Time steps T of the neurons within each frame. */
  readonly steps: number;
  readonly beta: number;
  readonly threshold: number;
  readonly surrogate: Surrogate;
}
