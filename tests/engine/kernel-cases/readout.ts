import { both, type CaseMakers, numbers } from './operands.ts';

/** The mean over steps and the mixture of both paths. */
export const readoutCases = {
  mean_steps_forward: (count, from) => [
    {
      name: 'mean',
      kernel: 'mean_steps_forward',
      operands: { source: numbers([5, count], from), target: numbers([count], from) },
      attributes: { count, steps: 5 },
    },
  ],
  mean_steps_backward: (count, from) =>
    both.map((accumulate) => ({
      name: `accumulate ${accumulate}`,
      kernel: 'mean_steps_backward',
      operands: { gradient: numbers([count], from), target: numbers([5, count], from) },
      attributes: { count, steps: 5, accumulate },
    })),
  readout_mix_forward: (count, from) => [
    {
      name: 'mix',
      kernel: 'readout_mix_forward',
      operands: {
        direct: numbers([count], from),
        deep: numbers([count], from),
        mix: numbers([1], from),
        output: numbers([count], from),
      },
      attributes: { count },
    },
  ],
  readout_mix_backward: (count, from) =>
    both.flatMap((accumulateDirect) =>
      both.map((accumulateDeep) => ({
        name: `accumulate ${accumulateDirect} ${accumulateDeep}`,
        kernel: 'readout_mix_backward' as const,
        operands: {
          mix: numbers([1], from),
          gradient: numbers([count], from),
          directGradient: numbers([count], from),
          deepGradient: numbers([count], from),
        },
        attributes: { count, accumulateDirect, accumulateDeep },
      })),
    ),
  readout_mix_backward_mix: (count, from) => [
    {
      name: 'mix',
      kernel: 'readout_mix_backward_mix',
      operands: {
        direct: numbers([count], from),
        deep: numbers([count], from),
        mix: numbers([1], from),
        gradient: numbers([count], from),
        partial: numbers([Math.ceil(count / 64)], from),
      },
      attributes: { count, chunk: 64 },
    },
  ],
} satisfies Partial<CaseMakers>;
