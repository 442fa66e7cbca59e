/** What classifiers of pictures and sounds need besides: frames held for some steps, and private gradients. */
export const sensesRoles = {
  hold_steps_forward: { source: 'read', target: 'write' },
  hold_steps_backward: { gradient: 'read', target: 'update' },
  clipped_sum: { addend: 'read', scale: 'read', sum: 'update' },
  private_gradient: { clock: 'read', sum: 'update', gradient: 'write' },
} as const;

interface Held {
  /** Words of a step. */
  readonly count: number;
  /** Steps before they are held. */
  readonly steps: number;
  /** Steps that each of them becomes. */
  readonly hold: number;
}

export interface SensesAttributes {
  readonly hold_steps_forward: Held;
  readonly hold_steps_backward: Held & { readonly accumulate: boolean };
  /** Adds nothing where the scale is negative, as that of a gradient that is not finite. */
  readonly clipped_sum: { readonly count: number };
  /** Empties the sum for the next step. Draws do not depend on how a block is cut into tensors. */
  readonly private_gradient: {
    /** Words of the gradient. */
    readonly count: number;
    /** Where they start in the sum, a multiple of 4. */
    readonly offset: number;
    readonly stream: number;
    /** Of the noise that is added to the sum. */
    readonly deviation: number;
    /** What the noised sum is multiplied with. */
    readonly factor: number;
  };
}
