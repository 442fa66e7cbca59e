import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { only: { type: 'string' } } });

/** Whether a bar is to be measured: all are, unless `--only N` names another. */
export function isWanted(bar: number): boolean {
  return values.only === undefined || Number(values.only) === bar;
}
