/** How white space is written where it has to be seen. */
const MARKS: Readonly<Record<string, string>> = { ' ': '␣', '\n': '↵', '\t': '⇥', '\r': '↵' };

/** A character as it is shown on an axis. */
export function markOf(character: string): string {
  return MARKS[character] ?? character;
}

/** The probe as one line of text. */
export function probeLine(characters: readonly string[]): string {
  return characters.join('').replaceAll(/\s+/g, ' ').trim();
}
