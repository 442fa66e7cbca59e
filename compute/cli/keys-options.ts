import { InvalidArgumentError } from 'commander';
import { Scope } from '../../edge/contract/scope.ts';

const SECONDS = { m: 60, h: 3600, d: 86_400, w: 604_800 } as const;

/** Parses a time such as `30d` to seconds. */
export function durationOption(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,5})([mhdw])$/.exec(text) ?? [];
  if (count !== undefined) return Number(count) * SECONDS[unit as keyof typeof SECONDS];
  throw new InvalidArgumentError(
    `got "${text}", expected a number with m, h, d or w behind it, such as 30d.`,
  );
}

/** Parses scopes with commas between. */
export function scopesOption(text: string): Scope[] {
  return text.split(',').map((name) => {
    const scope = Scope.safeParse(name.trim());
    if (scope.success) return scope.data;
    throw new InvalidArgumentError(`got "${name}", expected some of ${Scope.options.join(', ')}.`);
  });
}
