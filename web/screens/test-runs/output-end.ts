import type { TestOutputPiece } from '../../../edge/test-runs/contract/test-run.ts';

/** The last pieces of an output, at most so many characters of them; the first is cut to fit. */
interface OutputEnd {
  readonly pieces: readonly (TestOutputPiece & { readonly at: number })[];
  /** Whether there was more before them. */
  readonly isShortened: boolean;
}

/** The end of a long output. Pieces are identified by their offset in the whole. */
export function endOf(pieces: readonly TestOutputPiece[], most: number): OutputEnd {
  const shown: (TestOutputPiece & { at: number })[] = [];
  let room = most;
  for (let at = pieces.length - 1; at >= 0 && room > 0; at--) {
    const piece = pieces[at];
    if (!piece) break;
    shown.unshift({ ...piece, text: piece.text.slice(-room), at });
    room -= piece.text.length;
  }
  return { pieces: shown, isShortened: room < 0 || shown.length < pieces.length };
}
