import * as z from 'zod/mini';

/*
 * The Open Inference Protocol's REST form (v2). Its answers carry `{"error": …}` instead of a
 * problem document. A text model has one input `text` (BYTES [-1]) and the output `text`.
 */

export const Datatype = z.enum([
  'BOOL',
  'UINT8',
  'UINT16',
  'UINT32',
  'UINT64',
  'INT8',
  'INT16',
  'INT32',
  'INT64',
  'FP16',
  'FP32',
  'FP64',
  'BYTES',
]);

export const TensorMetadata = z.object({
  name: z.string(),
  datatype: Datatype,
  shape: z.array(z.int()),
});

export const ServerMetadata = z.object({
  name: z.string(),
  version: z.string(),
  extensions: z.array(z.string()),
});

export const ModelMetadata = z.object({
  name: z.string(),
  versions: z.optional(z.array(z.string())),
  platform: z.string(),
  inputs: z.array(TensorMetadata),
  outputs: z.array(TensorMetadata),
});

const Parameters = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

export const InferInput = z.object({
  name: z.string(),
  shape: z.array(z.int()),
  datatype: Datatype,
  parameters: z.optional(Parameters),
  data: z.array(z.unknown()),
});

export const InferenceRequest = z.object({
  id: z.optional(z.string()),
  parameters: z.optional(Parameters),
  inputs: z.array(InferInput).check(z.minLength(1)),
  outputs: z.optional(z.array(z.object({ name: z.string(), parameters: z.optional(Parameters) }))),
});
export type InferenceRequest = z.output<typeof InferenceRequest>;

export const InferenceResponse = z.object({
  id: z.optional(z.string()),
  model_name: z.string(),
  model_version: z.optional(z.string()),
  parameters: z.optional(Parameters),
  outputs: z.array(
    z.object({
      name: z.string(),
      shape: z.array(z.int()),
      datatype: Datatype,
      parameters: z.optional(Parameters),
      data: z.array(z.unknown()),
    }),
  ),
});
export type InferenceResponse = z.infer<typeof InferenceResponse>;

export const InferenceError = z.object({ error: z.string() });
export type InferenceError = z.infer<typeof InferenceError>;
export const Live = z.object({ live: z.boolean() });
export const Ready = z.object({ ready: z.boolean() });
export const ModelReady = z.object({ name: z.string(), ready: z.boolean() });
