/** What a class of JavaScript holds, written as characters: other languages count more among `\d`, `\w` and `\s`. */
const CLASSES: Readonly<Record<string, string>> = {
  d: '0-9',
  w: '_A-Za-z0-9',
  s: String.raw`\t\n\u000B\f\r \u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF`,
  'p{Cc}': String.raw`\u0000-\u001F\u007F-\u009F`,
};

/** Escapes that mean the same in JavaScript, with and without its `u` flag, and in Python. */
const SHARED = /^\\(?:[tnrf]|[\^$\\.*+?()[\]{}|]|u[0-9A-Fa-f]{4})$/;

const ESCAPE = /\\(?:[pP]\{[^}]*\}|u[0-9A-Fa-f]{4}|[^])/y;

/**
 * A regular expression of JavaScript in a form that other languages read as well, and in the same
 * way: `\d` in Python also takes ٣, and `.` a carriage return.
 *
 * @throws TypeError for an escape or a flag that has no such form
 */
export function portablePattern({ source, flags }: RegExp): string {
  if (flags.includes('i')) throw new TypeError(`the pattern ${source} has to name both cases`);
  const anything = String.raw`[\s\S]`;
  const dot = flags.includes('s') ? anything : String.raw`[^\n\r\u2028\u2029]`;
  let portable = '';
  let isInClass = false;
  for (let at = 0; at < source.length;) {
    if (source.startsWith('[^]', at) && !isInClass) {
      portable += anything;
      at += 3;
      continue;
    }
    ESCAPE.lastIndex = at;
    const [escape] = ESCAPE.exec(source) ?? [];
    if (escape !== undefined) {
      portable += portableEscape(escape, isInClass, source);
      at += escape.length;
      continue;
    }
    const letter = source[at] ?? '';
    portable += letter === '.' && !isInClass ? dot : letter;
    if (letter === '[') isInClass = true;
    if (letter === ']') isInClass = false;
    at++;
  }
  return portable;
}

function portableEscape(escape: string, isInClass: boolean, source: string): string {
  if (escape === String.raw`\/`) return '/';
  if (escape === String.raw`\-` && isInClass) return escape;
  if (SHARED.test(escape)) return escape;
  const name = escape.slice(1);
  const characters = CLASSES[name] ?? CLASSES[name.toLowerCase().replace('cc', 'Cc')];
  const isNegated = /^[A-Z]/.test(name);
  if (characters === undefined || (isNegated && isInClass)) {
    throw new TypeError(`the pattern ${source} has ${escape}, which is not the same elsewhere`);
  }
  if (isInClass) return characters;
  return isNegated ? `[^${characters}]` : `[${characters}]`;
}
