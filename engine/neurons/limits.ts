/** Limits of a neuron: its text comes from users, and from the files of models. */
export const NEURON_LIMITS = {
  characters: 4096,
  states: 8,
  parameters: 16,
  equations: 64,
  /** Of a step, equal ones once. */
  operations: 2048,
} as const;
