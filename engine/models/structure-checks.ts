import { EngineError } from '../errors.ts';

/** Checks of a structure, with the name of its owner in each message. They throw EngineError `invalid-structure`. */
export function structureChecks(owner: string) {
  function refuse(message: string): never {
    throw new EngineError('invalid-structure', `${owner}: ${message}`);
  }
  return {
    refuse,
    /** Whole numbers from 1 to their limits, each named behind `path`. */
    counts<Name extends string>(
      values: { readonly [N in Name]: number },
      limits: { readonly [N in NoInfer<Name>]: number },
      path = '',
    ): void {
      // Object.keys loses the type of the keys.
      for (const name of Object.keys(values) as Name[]) {
        const [value, limit] = [values[name], limits[name]];
        if (Number.isInteger(value) && value >= 1 && value <= limit) continue;
        refuse(`${path}${name} is ${value}: expected a whole number from 1 to ${limit}`);
      }
    },
    headsOf(width: number, heads: number): void {
      if (width % heads === 0) return;
      refuse(
        `d_model ${width} is not divisible by ${heads} heads: expected a multiple of ${heads}`,
      );
    },
    neuron({ beta, threshold }: { readonly beta: number; readonly threshold: number }): void {
      if (!(beta >= 0 && beta <= 1)) refuse(`beta is ${beta}: expected a number from 0 to 1`);
      if (!(threshold > 0)) refuse(`threshold is ${threshold}: expected a positive number`);
    },
  };
}
