const BYTES = 16;

/** Random bytes in hexadecimal, 128 bits of them where not said. Pages without TLS have no crypto.randomUUID. */
export const randomId = (bytes = BYTES): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
