/** Levels of arrays and objects in each other; whoever walks a value recursively is safe to this depth. */
const MAX_DEPTH = 100;
/** Characters of a text: what is larger, a parser turns into several times as much. */
const MAX_CHARACTERS = 2 ** 27;

/**
 * The value of a text that anybody may have written. Throws SyntaxError for what is no JSON, and for what is
 * nested deeper than 100 levels or longer than 128 Mi characters.
 */
export function parseJson(text: string): unknown {
  if (text.length > MAX_CHARACTERS) {
    throw new SyntaxError(`${text.length} characters, expected at most ${MAX_CHARACTERS}`);
  }
  const value: unknown = JSON.parse(text);
  // Level by level, so that the depth costs no stack.
  let level = [value].filter(isContainer);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw new SyntaxError(`nested deeper than ${MAX_DEPTH} levels`);
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return value;
}

const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null;

/** Why a text was refused, for the end of a message. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
