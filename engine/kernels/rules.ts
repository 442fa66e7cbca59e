import { equations } from '../kernel-language/written-kernel.ts';
import { kernelsOf, STEPS } from './table.ts';

/** Ways to turn the loss into a reward. */
const REWARD_MODES = ['ema_delta', 'raw', 'clipped_raw'] as const;
export type RewardMode = (typeof REWARD_MODES)[number];

/** Rules that steer neurons in training: energy, rewards. */
export const ruleKernels = kernelsOf('neurons', {
  energy_gate: {
    operands: {
      spikes: 'read',
      importance: 'read',
      supply: 'read',
      energy: 'update',
      gated: 'write',
      open: 'write',
    },
    attributes: {
      ...STEPS,
      /** Rows of one batch entry, which its neurons pass one after the other. */
      sequence: 'int',
      capacity: 'float',
      /** Cost of a spike, times the importance of its neuron. */
      consumption: 'float',
      /** Supply of a step, times the operand of that name. */
      rate: 'float',
      /** Minimum energy that a spike needs. */
      threshold: 'float',
      /** Start from the energy as it is instead of from the capacity. */
      carried: 'flag',
    },
  },
  mask_gradient: {
    operands: { mask: 'read', gradient: 'update' },
    attributes: STEPS,
    write: equations({
      over: { step: 'steps', row: 'rows', column: 'width' },
      shapes: { mask: 'bits[steps, rows, width]', gradient: 'f32[steps, rows, width]' },
      equations: 'gradient = mask ? gradient : 0',
    }),
  },
  reward_signal: {
    operands: {
      history: 'read',
      clock: 'read',
      state: 'update',
      reward: 'write',
      move: 'write',
      supply: 'write',
    },
    attributes: {
      mode: REWARD_MODES,
      /** Places of the loss history. */
      slots: 'int',
      /** Fraction of the running means of loss and reward kept per step. */
      lossDecay: 'float',
      baselineDecay: 'float',
      /** Largest reward in either direction; the unit of the supply in every mode. */
      clip: 'float',
      /** First step of beta as a fraction of its distance from 1, and the steps after which it is half. */
      step: 'float',
      horizon: 'float',
      /** Fraction of the supply that the worst reward leaves. */
      minSupply: 'float',
    },
    write: equations(({ mode }) => ({
      over: { once: '1' },
      shapes: {
        history: 'f32[slots]',
        clock: 'u32[4]',
        state: 'f32[3]',
        reward: 'f32[1]',
        move: 'f32[1]',
        supply: 'f32[1]',
      },
      equations: `
        loss = history[clock[1] % u32(slots)]
        isFirst = state[2] == 0
        before = isFirst ? loss : state[0]
        mean = lossDecay * before + (1 - lossDecay) * loss
        gain = ${mode === 'ema_delta' ? 'before - mean' : '-loss'}
        given = ${mode === 'raw' ? 'gain' : 'min(max(gain, -clip), clip)'}
        baseline = isFirst ? given : state[1]
        advantage = given - baseline
        sign = f32(advantage > 0) - f32(advantage < 0)
        reward = given
        move = sign * step / (1 + f32(clock[0]) / horizon)
        supply = min(max(1 + advantage / clip, minSupply), 2)
        state[0] = mean
        state[1] = baselineDecay * baseline + (1 - baselineDecay) * given
        state[2] = 1`,
    })),
  },
  reward_decay: {
    operands: { move: 'read', beta: 'update' },
    attributes: { count: 'int', lowest: 'float', highest: 'float' },
    write: equations({
      over: { element: 'count' },
      shapes: { move: 'f32[1]', beta: 'f32[count]' },
      equations: 'beta = min(max(1 - (1 - beta) * (1 - move), lowest), highest)',
    }),
  },
});
