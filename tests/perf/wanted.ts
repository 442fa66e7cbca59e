import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { only: { type: 'string' }, minutes: { type: 'string' } },
});

/** Whether a bar is to be measured: all are, unless `--only N` names another. */
export function isWanted(bar: number): boolean {
  return values.only === undefined || Number(values.only) === bar;
}

/** How long to train where `--minutes N` says so. */
export const minutesAskedFor: number | undefined =
  values.minutes === undefined ? undefined : Number(values.minutes);
