/** Known reasons why a spiking network does not learn. */
const CAUSES = [
  'input-scale',
  'silent',
  'saturated',
  'surrogate-out-of-reach',
  'exploding',
  'rate-too-high',
  'rate-too-low',
  'labels-shuffled',
] as const;
export type Cause = (typeof CAUSES)[number];

/** Figures that a finding rests on. */
const EVIDENCE = [
  'rate',
  'dead',
  'saturated',
  'input-size',
  'membrane-distance',
  'slope',
  'growth',
  'weight-size',
  'step-size',
  'travelled',
  'first-loss',
  'last-loss',
  'simple-accuracy',
  'accuracy',
] as const;

/** A measured number beside the limit that it passed. */
export interface Evidence {
  readonly figure: (typeof EVIDENCE)[number];
  readonly value: number;
  /** `most` and `least`: where a healthy network has it; neither where the number only goes with the others. */
  readonly most?: number;
  readonly least?: number;
}

/** A value that a new run has in place of that of its parent. */
export interface Change {
  /**
   *   threshold, surrogate-width   of a layer of neurons
   *   gain                         factor of a layer's weights
   *   learning-rate, clip-norm     of the optimizer
   *   input-offset, input-scale    inputs become (x - offset) * scale
   */
  readonly setting:
    | 'threshold'
    | 'surrogate-width'
    | 'gain'
    | 'learning-rate'
    | 'clip-norm'
    | 'input-offset'
    | 'input-scale';
  readonly layer?: string;
  readonly from?: number;
  readonly to: number;
}

/** Values that a new run has; a run that exists is left as it is. */
export interface Remedy {
  readonly changes: readonly Change[];
  /** Whether it goes on from the last good checkpoint, or from new first weights, as that one cannot be mended. */
  readonly from: 'checkpoint' | 'new-weights';
}

/** A named cause. */
export interface Finding {
  readonly cause: Cause;
  /** The first layer that shows it; undefined of causes in data or optimizer. */
  readonly layer?: string;
  readonly evidence: readonly Evidence[];
  /** Undefined where no setting mends it, as with labels that belong to other examples. */
  readonly remedy?: Remedy;
}
