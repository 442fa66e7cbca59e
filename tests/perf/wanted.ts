import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    minutes: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});

/** Whether a bar is to be measured: all are, unless `--only N` names another. */
export function isWanted(bar: number): boolean {
  return values.only === undefined || Number(values.only) === bar;
}

/** How long to train where `--minutes N` says so. */
export const minutesAskedFor: number | undefined =
  values.minutes === undefined ? undefined : Number(values.minutes);

/** `--seed N`: what is chosen by chance is chosen the same way again. */
export const seedAskedFor = Number(values.seed);
