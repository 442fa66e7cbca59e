/** Rows of sequences that lie in longer ones, and numbers left out at random. */
export const multimodalRoles = {
  copy_rows: { source: 'read', target: 'update' },
  dropout: { source: 'read', clock: 'read', target: 'update' },
} as const;

export interface MultimodalAttributes {
  /**
   * `copiedRows` rows of each of `batch` sequences in every time step: from row `sourceFirst` on of source
   * sequences of `sourceRows`, to row `targetFirst` on of target sequences of `targetRows`. The other rows
   * of the target stay as they are.
   */
  readonly copy_rows: {
    readonly steps: number;
    /** 1 where the source is the same in every step and stored once, else `steps`. */
    readonly sourceSteps: number;
    readonly batch: number;
    readonly copiedRows: number;
    readonly width: number;
    readonly sourceRows: number;
    readonly sourceFirst: number;
    readonly targetRows: number;
    readonly targetFirst: number;
    /** Add to what the target holds instead of overwriting it. */
    readonly accumulate: boolean;
  };
  /** A `share` of the numbers becomes 0, the others grow so that their sum is the same on the mean. */
  readonly dropout: {
    readonly count: number;
    readonly share: number;
    /** Distinguishes the draws of one program from each other. */
    readonly stream: number;
    readonly accumulate: boolean;
  };
}
