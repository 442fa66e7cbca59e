import * as z from 'zod/mini';

/** A SHA-256 digest as records carry it: `sha256:` and 64 lower-case hexadecimal digits. */
export const Digest = z
  .string()
  .check(z.regex(/^sha256:[0-9a-f]{64}$/, 'expected "sha256:" and 64 lower-case hex digits'));
export type Digest = z.infer<typeof Digest>;

/** A digest as a client may claim it: with or without `sha256:`, in either case of letters. */
export const DigestClaim = z.pipe(
  z.pipe(
    z
      .string()
      .check(
        z.regex(
          /^(?:[Ss][Hh][Aa]256:)?[0-9A-Fa-f]{64}$/,
          'expected 64 hex digits, after "sha256:" or not',
        ),
      ),
    z.transform((claim): Digest => `sha256:${claim.slice(-64).toLowerCase()}`),
  ),
  Digest,
);

/** Writes a SHA-256 hash of 32 bytes the way records carry it. */
export function digestOf(hash: ArrayBuffer | Uint8Array): Digest {
  const bytes = new Uint8Array(hash);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'));
  return `sha256:${hex.join('')}`;
}

/** The hash inside a digest: 32 bytes. */
export function hashOf(digest: Digest): Uint8Array {
  return Uint8Array.from({ length: 32 }, (_, i) =>
    Number.parseInt(digest.substr(7 + 2 * i, 2), 16),
  );
}
