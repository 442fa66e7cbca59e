import { Problem } from './problem.ts';

/** A path encoded more often than this is refused as well. */
const MOST_ENCODINGS = 3;

/**
 * The path of a request, refused where some decoding of it climbs or hides a separator: a `..` or
 * `.` segment, `%2f`, a backslash or a control character. Services decode at different moments, so
 * every decoding is looked at. It takes the URL as it came: parsing a URL drops its `..`.
 *
 * @throws Problem unsafe_path
 */
export function safePathOf(rawUrl: string): string {
  const path = rawPathOf(rawUrl);
  if (/%(?![0-9a-f]{2})/i.test(path)) throw unsafe(path, 'its percent-encoding is broken');
  let decoded = path;
  for (let encodings = 0; encodings <= MOST_ENCODINGS; encodings++) {
    const fault = faultOf(decoded);
    if (fault) throw unsafe(path, fault);
    const next = decodeBytes(decoded);
    if (next === decoded) return path;
    decoded = next;
  }
  throw unsafe(path, 'it is encoded several times over');
}

/** The path of a URL to the letter, as parsing it would tidy it up. */
export function rawPathOf(rawUrl: string): string {
  const afterHost = rawUrl.replace(/^[a-z]+:\/\/[^/?#]*/i, '');
  return afterHost.replace(/[?#].*$/s, '') || '/';
}

function faultOf(path: string): string | undefined {
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

const unsafe = (path: string, why: string) =>
  new Problem('unsafe_path', `The path ${path.slice(0, 200)} is refused: ${why}.`);
