import * as z from 'zod/mini';
import { EngineError, LOG_LEVELS, type PluginValues } from '../../engine/index.ts';
import type { FromPlugin } from './plugin-protocol.ts';

const Id = z.int();
const Result = z.union([
  z.object({ ok: z.literal(true), value: z.optional(z.unknown()) }),
  z.object({ ok: z.literal(false), code: z.optional(z.string()), message: z.string() }),
]);
const Message = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready'), metadata: z.unknown() }),
  z.object({ kind: z.literal('refused'), reason: z.string() }),
  z.object({ kind: z.literal('result'), id: Id, result: Result }),
  z.object({ kind: z.literal('log'), level: z.enum(LOG_LEVELS), message: z.string() }),
  z.object({ kind: z.literal('fail'), reason: z.string() }),
  z.object({
    kind: z.literal('ask'),
    id: Id,
    dependency: z.string(),
    inputs: z.record(z.string(), z.unknown()),
  }),
]);

/**
 * Parses a message from a plugin against the protocol: it is data of a stranger.
 *
 * @throws EngineError plugin-failed
 */
export function parseFromPlugin(message: unknown): FromPlugin {
  const { success, data } = Message.safeParse(message);
  if (!success) throw new EngineError('plugin-failed', 'it sent what is no message to its host');
  if (data.kind === 'result') {
    const { result } = data;
    return { ...data, result: result.ok ? { ok: true, value: result.value } : failureOf(result) };
  }
  // Ports of the plugin that is asked say what its inputs have to be.
  return data.kind === 'ask' ? { ...data, inputs: data.inputs as PluginValues } : data;
}

interface Failure {
  readonly code?: string | undefined;
  readonly message: string;
}

const failureOf = ({ code, message }: Failure) => ({ ok: false, code, message }) as const;
