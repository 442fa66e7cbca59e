import * as z from 'zod/mini';
import { LogAck, type LogError } from './contract/log-frames.ts';

/** What a client may say at once. */
const MOST_CHARACTERS = 1024;

const Said = z.union([LogAck, z.strictObject({ type: z.literal('ping') })]);
type Said = z.infer<typeof Said>;

const fault = (detail: string): LogError => ({ type: 'error', code: 'invalid_message', detail });

/** What a client of the stream says, or what is wrong with it. */
export function parseClientMessage(said: string | ArrayBuffer): Said | LogError {
  if (typeof said !== 'string') return fault('got bytes, expected text');
  if (said.length > MOST_CHARACTERS) {
    return fault(`got ${said.length} characters, expected at most ${MOST_CHARACTERS}`);
  }
  const parsed = z.safeParse(Said, jsonOf(said));
  if (parsed.success) return parsed.data;
  return fault(`got ${said.slice(0, 100)}, expected {"type":"ack","seq":…} or {"type":"ping"}`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
