import { ProblemError } from '../../../../edge/contract/problem-error.ts';

/** What is wrong with a body, by its places. */
export interface Faults {
  /** What is wrong at a place or below it, or undefined. */
  at(pointer: string): string | undefined;
  /** Whether something is wrong at none of these places, so that it has to be said elsewhere. */
  isElsewhere(pointers: readonly string[]): boolean;
}

const isWithin = (pointer: string, place: string) =>
  pointer === place || pointer.startsWith(`${place}/`);

/** The places that a refusal names by JSON Pointers; none where it is about something else. */
export function faultsOf(error: unknown): Faults {
  const items = error instanceof ProblemError ? (error.problem.errors ?? []) : [];
  return {
    at(place) {
      const here = items.filter(({ pointer = '' }) => isWithin(pointer, place));
      return here.length === 0 ? undefined : here.map(({ detail }) => detail).join(' ');
    },
    isElsewhere: (places) =>
      items.length === 0 ||
      items.some(({ pointer = '' }) => !places.some((place) => isWithin(pointer, place))),
  };
}
