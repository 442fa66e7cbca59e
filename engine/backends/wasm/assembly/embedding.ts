import { address, bytes, whole } from './arguments';
import { GROUP, storeUpTo } from './rows';

const CONTINUES: u32 = 0x80000000;
/** 2^32 over the golden ratio, odd: spreads neighbouring tokens over the slots. */
const SPREAD: u32 = 0x9e3779b1;

/**
 * token_chain: for each row the next one with its token, or `rows`; the top bit is set when an earlier
 * row holds the token too. Looks up the row behind in a table of 2^bits slots, the hash of a token
 * first, that hold a row + 1.
 *
 * Items      1
 * Arguments  ids, chain, rows, slots, bits
 */
export function token_chain(args: usize, first: i32, last: i32, scratch: usize): void {
  const ids = address(args, 0),
    chain = address(args, 1),
    rows = whole(args, 2);
  const slots = address(args, 3),
    bits = whole(args, 4);
  const mask: u32 = (1 << bits) - 1;
  memory.fill(slots, 0, bytes(1 << bits));
  for (let row = rows - 1; row >= 0; row--) {
    const token = load<u32>(ids + bytes(row));
    let slot = (token * SPREAD) >> (32 - bits);
    let found = load<i32>(slots + bytes(slot));
    while (found && load<u32>(ids + bytes(found - 1)) != token) {
      slot = (slot + 1) & mask;
      found = load<i32>(slots + bytes(slot));
    }
    store<i32>(slots + bytes(slot), row + 1);
    const next = found ? found - 1 : rows;
    store<i32>(chain + bytes(row), next);
    if (!found) continue;
    const at = chain + bytes(next);
    store<u32>(at, load<u32>(at) | CONTINUES);
  }
}

/**
 * embedding_backward: adds the gradient of each row to the table's row of its token, row after row; a
 * token outside the table trains nothing.
 *
 * Items      groups of 16 columns
 */
export function embedding_backward(args: usize, first: i32, last: i32, scratch: usize): void {
  const ids = address(args, 0),
    gradient = address(args, 2),
    table = address(args, 3);
  const rows = whole(args, 4),
    width = whole(args, 5),
    vocabulary = <u32>whole(args, 6);
  const stride = bytes(width),
    end = min(width, last * GROUP);
  for (let row = 0; row < rows; row++) {
    const token = load<u32>(ids + bytes(row));
    if (token >= vocabulary) continue;
    const from = gradient + stride * row,
      to = table + stride * <usize>token;
    for (let c = first * GROUP; c < end; c += 4) {
      const at = bytes(c);
      storeUpTo(to + at, f32x4.add(v128.load(to + at), v128.load(from + at)), end - c);
    }
  }
}
