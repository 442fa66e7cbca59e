import * as z from 'zod/mini';
import { parseBody } from '../../edge/contract/parse.ts';
import { Problem } from '../../edge/contract/refusal.ts';
import { PluginName, PluginPermission, PluginType } from '../../edge/plugins/contract/plugin.ts';
import { Version } from '../../edge/contract/semver.ts';
import { EngineError, isRange, parseJson } from '../../engine/index.ts';

/** The file that makes a folder a plugin. */
export const MANIFEST_FILE = 'plugin.json';

const Range = z
  .string()
  .check(z.refine(isRange, { error: 'expected a range of versions such as ^1.2.0' }));

/** Contents of `plugin.json`: enough to decide about a plugin before any of its code runs. */
export const PluginManifest = z.strictObject({
  name: PluginName,
  type: PluginType,
  version: Version,
  description: z.prefault(z.string().check(z.maxLength(2000)), ''),
  /** The versions of this platform that it was written for. */
  engine: Range,
  /** The module that exports `createPlugin`, below the folder. */
  entry: z.string().check(z.minLength(1), z.maxLength(256)),
  permissions: z.prefault(z.array(PluginPermission), []),
  /** Other plugins, by name, with the range of their versions. */
  dependencies: z.prefault(z.record(PluginName, Range), {}),
  /** Of all files but this one; `spikegrid plugins hash DIR` writes it. */
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/, 'expected 64 lower-case hex digits')),
});
export type PluginManifest = z.output<typeof PluginManifest>;

/** @throws EngineError plugin-refused naming the member and what was expected */
export function parseManifest(text: string): PluginManifest {
  try {
    return parseBody(PluginManifest, parseJson(text));
  } catch (error) {
    const why = error instanceof Problem ? error.message : 'it is not JSON';
    throw new EngineError('plugin-refused', `${MANIFEST_FILE}: ${why}`, { cause: error });
  }
}
