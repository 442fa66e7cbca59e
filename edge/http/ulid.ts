import { randomBytes } from './random.ts';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_LENGTH = 10;
const RANDOM_LENGTH = 16;

/** A ULID: 48 bits of time and 80 random bits, so that ids sort by when they were made. */
export function ulid(now: number = Date.now()): string {
  let time = '';
  for (let rest = now, i = 0; i < TIME_LENGTH; i++, rest = Math.floor(rest / 32)) {
    time = CROCKFORD.charAt(rest % 32) + time;
  }
  // 256 is a multiple of 32, so every letter is equally likely.
  let random = '';
  for (const byte of randomBytes(RANDOM_LENGTH)) random += CROCKFORD.charAt(byte % 32);
  return time + random;
}
