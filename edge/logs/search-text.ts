import type { LogMessage } from './contract/log-message.ts';

/** So much of a message is searched. */
const MOST_CHARACTERS = 4096;

/** Full and half width, upper and lower case are the same to who searches. */
export const normalised = (text: string): string => text.normalize('NFKC').toLowerCase();

/** What a message is found by. */
export function searchText({ message, event, source, trace_id, data }: LogMessage): string {
  const parts = [message, event, source, trace_id, data && JSON.stringify(data)];
  return normalised(parts.filter(Boolean).join('\n').slice(0, MOST_CHARACTERS));
}

/** How many characters an index of trigrams needs; what is shorter is looked for in each text. */
const TRIGRAM = 3;

/** A condition on `line_text` that a text to search for comes to. */
export function textCondition(searched: string): { readonly sql: string; readonly value: string } {
  const text = normalised(searched);
  if (Array.from(text).length < TRIGRAM) return { sql: 'instr(text, ?) > 0', value: text };
  // As one string, so that nothing in it means anything to the query language.
  return { sql: 'line_text MATCH ?', value: `"${text.replaceAll('"', '""')}"` };
}
