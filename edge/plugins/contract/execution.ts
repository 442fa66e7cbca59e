import * as z from 'zod/mini';

/** The inputs and outputs of an execution. */
export const MAX_EXECUTE_BYTES = 20 * 1024 * 1024;

/** Any JSON value. */
export const JsonValue = z.json();

/** An array of numbers with its shape, last axis fastest. */
export const WireArray = z.object({
  shape: z.array(z.int().check(z.gte(0))).check(z.maxLength(8)),
  data: z.array(z.number()),
});
export type WireArray = z.infer<typeof WireArray>;

/** The body of `POST /plugins/{name}/execute`: a value for each port, arrays as `{shape, data}`. */
export const ExecuteRequest = z.strictObject({ inputs: z.record(z.string(), JsonValue) });
export type ExecuteRequest = z.output<typeof ExecuteRequest>;

export const ExecuteAnswer = z.object({
  outputs: z.record(z.string(), JsonValue),
  duration_ms: z.number(),
});
export type ExecuteAnswer = z.infer<typeof ExecuteAnswer>;
