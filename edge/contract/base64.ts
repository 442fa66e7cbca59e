import { invalid } from './refusal.ts';

/**
 * Bytes of base64 with its padding (RFC 4648, section 4).
 *
 * @param pointer where in the body it stands
 * @throws Problem validation_failed that says what is wrong
 */
export function bytesOfBase64(text: string, pointer: string): Uint8Array<ArrayBuffer> {
  const digits = text.replace(/={1,2}$/, '');
  const at = digits.search(/[^A-Za-z0-9+/]/);
  if (at >= 0) {
    const strange = String.fromCodePoint(digits.codePointAt(at) ?? 0);
    const detail = `${JSON.stringify(strange)} at character ${at}: expected base64`;
    throw invalid(pointer, 'invalid_base64', detail);
  }
  if (text.length === 0 || text.length % 4 !== 0) {
    const detail = `${text.length} characters of base64: expected a multiple of 4, padded with =`;
    throw invalid(pointer, 'invalid_base64', detail);
  }
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}
