import type { ClassResponse } from './infer.ts';

/** All classes with their names, the likeliest first; `probabilities` are by the number of the class. */
export const rankedClasses = (
  probabilities: readonly number[],
  labels: readonly string[],
): ClassResponse['outputs']['classes'] =>
  probabilities
    .map((probability, label) => ({ label: labels[label] ?? `${label}`, probability }))
    .toSorted((a, b) => b.probability - a.probability);
