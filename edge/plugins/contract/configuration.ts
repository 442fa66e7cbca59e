import * as z from 'zod/mini';

/** A setting of a plugin in terms of JSON Schema, shown as a form field. */
export const ConfigurationSetting = z.object({
  type: z.enum(['number', 'integer', 'boolean', 'string']),
  title: z.string(),
  description: z.optional(z.string()),
  default: z.union([z.number(), z.boolean(), z.string()]),
  /** Such as `ms`. */
  unit: z.optional(z.string()),
  minimum: z.optional(z.number()),
  exclusiveMinimum: z.optional(z.number()),
  maximum: z.optional(z.number()),
  exclusiveMaximum: z.optional(z.number()),
  /** The allowed texts. */
  enum: z.optional(z.array(z.string())),
  maxLength: z.optional(z.int()),
  /** The plugin cannot start while it is empty. */
  required: z.optional(z.boolean()),
  /** A secret: returned as an empty text. */
  writeOnly: z.optional(z.boolean()),
});
export type ConfigurationSetting = z.infer<typeof ConfigurationSetting>;

export const ConfigurationSchema = z.object({
  type: z.literal('object'),
  properties: z.record(z.string(), ConfigurationSetting),
});
export type ConfigurationSchema = z.infer<typeof ConfigurationSchema>;

export const ConfigurationValues = z.record(
  z.string(),
  z.union([z.number(), z.boolean(), z.string().check(z.maxLength(4096))]),
);
export type ConfigurationValues = z.infer<typeof ConfigurationValues>;

/** The response of `GET /plugins/{name}/configuration`. */
export const PluginConfiguration = z.object({
  schema: ConfigurationSchema,
  values: ConfigurationValues,
});
export type PluginConfiguration = z.infer<typeof PluginConfiguration>;

/** The body of `PUT /plugins/{name}/configuration`: settings left out get their defaults. */
export const ConfigurationChange = z.strictObject({ values: ConfigurationValues });
export type ConfigurationChange = z.output<typeof ConfigurationChange>;
