import type { Sample } from './sample.ts';

/** How much waits in a queue of a service, as its owner reports it. */
export const queueDepth = (service: string, queue: string, depth: number): Sample => ({
  service,
  name: 'queue_depth',
  type: 'gauge',
  unit: null,
  help: 'How much waits in a queue: metric_points to be written, notifications to be delivered, uploads to become files.',
  labels: { queue },
  at: undefined,
  value: depth,
  temporality: 'cumulative',
  place: { pointer: '' },
});
