/** A path encoded more often than this is refused as well. */
const MAX_ENCODINGS = 3;

/** Reason to refuse a path, under any decoding; undefined if there is none. */
export function hiddenFault(
  path: string,
  faultIn: (decoded: string) => string | undefined,
): string | undefined {
  let decoded = path;
  for (let encodings = 0; encodings <= MAX_ENCODINGS; encodings++) {
    const fault = faultIn(decoded);
    if (fault !== undefined) return fault;
    const next = decodeBytes(decoded);
    if (next === decoded) return undefined;
    decoded = next;
  }
  return 'it is encoded several times over';
}

/** Why a path could lead elsewhere than it seems to, or undefined. */
export function faultOf(path: string): string | undefined {
  if (path.includes('\\')) return 'it holds a backslash';
  if (/%(?:2f|5c)/i.test(path)) return 'it holds an encoded separator';
  if (Array.from(path).some(isControl)) return 'it holds a control character';
  if (/(?:^|\/)\.{1,2}(?:\/|$)/.test(path)) return 'it holds a "." or ".." segment';
  return undefined;
}

const isControl = (char: string) => char < ' ' || char === '\x7f';

/** Byte by byte, as a half-broken rest must not hide what comes before it. */
function decodeBytes(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Why a path is none below a root: as `faultOf`, and where it begins at a root of its own. */
export const relativeFault = (path: string): string | undefined =>
  hiddenFault(path, (decoded) => rootFault(decoded) ?? faultOf(decoded));

function rootFault(path: string): string | undefined {
  if (path.startsWith('/')) return 'it is absolute';
  if (/^[A-Za-z]:/.test(path)) return 'it names a drive';
  if (path.startsWith('~')) return 'it names a home folder';
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(path)) return 'it is a URL';
  return undefined;
}
