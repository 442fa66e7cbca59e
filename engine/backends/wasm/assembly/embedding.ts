import { EmbeddingBackward, TokenChain } from './generated/arguments';
import { GROUP } from './generated/sizes';
import { bytes } from './bytes';
import { storeUpTo } from './rows';

const CONTINUES: u32 = 0x80000000;
/** 2^32 over the golden ratio, odd: spreads neighbouring tokens over the slots. */
const SPREAD: u32 = 0x9e3779b1;

/**
 * token_chain: for each row the next one with its token, or `rows`; the top bit is set when an earlier
 * row holds the token too. Looks up the row behind in a table of 2^bits slots, the hash of a token
 * first, that hold a row + 1.
 *
 * Items      1
 */
export function token_chain(args: TokenChain, first: i32, last: i32): void {
  const ids = args.idsAt,
    chain = args.chainAt,
    rows = args.rows;
  const slots = args.tableAt,
    bits = args.tableBits;
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
export function embedding_backward(args: EmbeddingBackward, first: i32, last: i32): void {
  const ids = args.idsAt,
    gradient = args.gradientAt,
    table = args.tableGradientAt;
  const rows = args.rows,
    width = args.width,
    vocabulary = <u32>args.vocabulary;
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
