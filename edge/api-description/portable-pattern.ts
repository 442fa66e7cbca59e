const SPACES = String.raw`\t\n\u000B\f\r \u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF`;
const CONTROLS = String.raw`\u0000-\u001F\u007F-\u009F`;

/** JavaScript's character classes as explicit ranges, and their complements. */
const SETS = new Map([
  [String.raw`\d`, '0-9'],
  [String.raw`\w`, '_A-Za-z0-9'],
  [String.raw`\s`, SPACES],
  [String.raw`\p{Cc}`, CONTROLS],
]);
const EXCLUDED = new Map([
  [String.raw`\D`, '0-9'],
  [String.raw`\W`, '_A-Za-z0-9'],
  [String.raw`\S`, SPACES],
  [String.raw`\P{Cc}`, CONTROLS],
]);

const TOKEN = /\[\^\]|\\(?:[pP]\{[^}]*\}|u[0-9A-Fa-f]{4}|[^])|[^]/g;
/** Escapes that mean the same in JavaScript, with and without its `u` flag, and in Python. */
const SHARED = /^\\(?:[tnrf]|[\^$\\.*+?()[\]{}|-]|u[0-9A-Fa-f]{4})$/;
const ANYTHING = String.raw`[\s\S]`;
const NO_LINE_END = String.raw`[^\n\r\u2028\u2029]`;

/**
 * A regular expression of JavaScript in a form that other languages read as well, and in the same
 * way: `\d` in Python also takes ٣, and `.` a carriage return.
 *
 * @throws TypeError for an escape or a flag that has no such form
 */
export function portablePattern({ source, flags }: RegExp): string {
  if (flags.includes('i')) throw new TypeError(`the pattern ${source} has to name both cases`);
  const dot = flags.includes('s') ? ANYTHING : NO_LINE_END;
  let isInClass = false;
  return source.replace(TOKEN, (token) => {
    if (token === '[^]') return ANYTHING;
    if (token.startsWith('\\')) return portableEscape(token, isInClass, source);
    if (token === '.' && !isInClass) return dot;
    if (token === '[' || token === ']') isInClass = token === '[';
    return token;
  });
}

function portableEscape(escape: string, isInClass: boolean, source: string): string {
  if (SHARED.test(escape)) return escape;
  if (escape === String.raw`\/`) return '/';
  const set = SETS.get(escape);
  if (set !== undefined) return isInClass ? set : `[${set}]`;
  const excluded = EXCLUDED.get(escape);
  if (excluded !== undefined && !isInClass) return `[^${excluded}]`;
  throw new TypeError(`the pattern ${source} has ${escape}, which is not the same elsewhere`);
}
