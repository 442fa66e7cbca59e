import { Problem } from '../edge/contract/refusal.ts';

/** Bytes of base64 with its padding (RFC 4648, section 4). @throws Problem validation_failed that names `what` */
export function bytesOfBase64(text: string, what: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    throw new Problem(
      'validation_failed',
      `${what} has ${text.length} characters: expected base64 with its padding.`,
    );
  }
}
