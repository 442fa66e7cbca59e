/** Learning from another network's answers. */
export const distillationRoles = {
  distillation_forward: {
    logits: 'read',
    teacher: 'read',
    targets: 'read',
    losses: 'write',
    scale: 'write',
  },
  distillation_backward: {
    logits: 'read',
    teacher: 'read',
    targets: 'read',
    scale: 'read',
    logitsGradient: 'write',
  },
  softmax_rows: { logits: 'read', output: 'write' },
} as const;

interface Distillation {
  readonly rows: number;
  readonly width: number;
  /** What logits are divided by in front of the teacher's probabilities. */
  readonly temperature: number;
  /** Share of the teacher in the loss; the rest is that of the targets. */
  readonly blend: number;
}

export interface DistillationAttributes {
  /** `scale` has the log-sum-exp of a row's logits, plain and at the temperature: `[rows, 2]`. */
  readonly distillation_forward: Distillation;
  readonly distillation_backward: Distillation;
  readonly softmax_rows: Omit<Distillation, 'blend'>;
}
