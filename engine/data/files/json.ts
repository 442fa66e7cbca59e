/** Nesting levels: a recursive walk of a parsed value is safe to this depth. */
const MAX_DEPTH = 100;
/** A longer text would take several times its size as a value. */
const MAX_CHARACTERS = 2 ** 27;

/**
 * Parses untrusted JSON. Throws SyntaxError for malformed text, for more than 100 levels of nesting and for
 * more than 128 Mi characters.
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

/** The reason in the message of a caught error. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
