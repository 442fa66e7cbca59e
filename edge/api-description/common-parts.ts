import * as z from 'zod/mini';
import { healthEndpoints, ownMetricsEndpoints } from '../health/endpoints.ts';
import { openApiEndpoints } from './endpoints.ts';
import { type AnyPart, partOf } from './description.ts';
import { healthExamples, ownMetricsExamples } from '../health/examples.ts';
import { openApiExamples } from './examples.ts';

/** What every service answers about itself. */
export const COMMON: readonly AnyPart[] = [
  partOf({ endpoints: healthEndpoints, examples: healthExamples, params: {} }),
  partOf({ endpoints: openApiEndpoints, examples: openApiExamples, params: {} }),
];

/** The same of services that show their own metrics at `/metrics`: all but those that show everybody's. */
export const COMMON_AND_METRICS: readonly AnyPart[] = [
  ...COMMON,
  partOf({ endpoints: ownMetricsEndpoints, examples: ownMetricsExamples, params: {} }),
];

/** An id that a service made up. */
export const AnyId = z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/));
