import type { Labels } from './sample.ts';
import type { Sample } from './sample.ts';

type CreateSample = (name: string, help: string, value: number, labels?: Labels) => Sample;

/** Creates the samples that a service of the edge reports of itself. */
export function samplesOfService(service: string): { gauge: CreateSample; counter: CreateSample } {
  const gauge: CreateSample = (name, help, value, labels = {}) => ({
    service,
    name,
    type: 'gauge',
    unit: null,
    help,
    labels,
    at: undefined,
    value,
    temporality: 'cumulative',
    place: { pointer: '' },
  });
  return {
    gauge,
    /** Of what came since the last report. */
    counter: (...sample) => ({ ...gauge(...sample), type: 'counter', temporality: 'delta' }),
  };
}
