/** A stretch of a text, in the other text too or not. */
export interface Piece {
  readonly text: string;
  readonly kind: 'same' | 'differs';
}

export interface TextDiff {
  readonly left: readonly Piece[];
  readonly right: readonly Piece[];
  /** Characters of the longer side that have no equal in the other. */
  readonly differing: number;
  /** Characters before the first difference. */
  readonly agreed: number;
}

/** Above this many pairs of characters the middle counts as different as a whole. */
const MAX_PAIRS = 4_000_000;

/** Which characters of two texts are the same, by their longest common subsequence. */
export function diffTexts(left: string, right: string): TextDiff {
  const [a, b] = [Array.from(left), Array.from(right)];
  const agreed = commonLength(a, b);
  const [restA, restB] = [a.slice(agreed), b.slice(agreed)];
  const tail = commonLength(restA.toReversed(), restB.toReversed());
  const middleA = restA.slice(0, restA.length - tail);
  const middleB = restB.slice(0, restB.length - tail);
  const [sameA, sameB] = commonSubsequence(middleA, middleB);
  const head = a.slice(0, agreed);
  const end = a.slice(a.length - tail);
  return {
    left: piecesOf(head, middleA, sameA, end),
    right: piecesOf(head, middleB, sameB, end),
    differing: Math.max(middleA.length - sameA.size, middleB.length - sameB.size),
    agreed,
  };
}

function commonLength(a: readonly string[], b: readonly string[]): number {
  const differs = a.findIndex((character, place) => character !== b[place]);
  return differs < 0 ? Math.min(a.length, b.length) : differs;
}

/** The places in each text of the characters that both have in one order. */
function commonSubsequence(
  a: readonly string[],
  b: readonly string[],
): readonly [Set<number>, Set<number>] {
  const [inA, inB] = [new Set<number>(), new Set<number>()];
  if (a.length * b.length > MAX_PAIRS) return [inA, inB];
  const width = b.length + 1;
  // [a.length + 1][b.length + 1]: the longest common subsequence of what is left from there on.
  const lengths = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      inA.add(i++);
      inB.add(j++);
    } else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return [inA, inB];
}

function piecesOf(
  head: readonly string[],
  middle: readonly string[],
  same: ReadonlySet<number>,
  tail: readonly string[],
): Piece[] {
  const marked = [
    ...head.map((text): Piece => ({ text, kind: 'same' })),
    ...middle.map((text, place): Piece => ({ text, kind: same.has(place) ? 'same' : 'differs' })),
    ...tail.map((text): Piece => ({ text, kind: 'same' })),
  ];
  return marked.reduce<Piece[]>((pieces, { text, kind }) => {
    const last = pieces.at(-1);
    if (last?.kind === kind) pieces[pieces.length - 1] = { text: last.text + text, kind };
    else pieces.push({ text, kind });
    return pieces;
  }, []);
}
