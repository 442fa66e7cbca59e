import { faultOf, hiddenFault } from '../contract/path-fault.ts';
import { Problem } from './problem.ts';

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
  const fault = hiddenFault(path, faultOf);
  if (fault !== undefined) throw unsafe(path, fault);
  return path;
}

/** The path of a URL to the letter, as parsing it would tidy it up. */
export function rawPathOf(rawUrl: string): string {
  const afterHost = rawUrl.replace(/^[a-z]+:\/\/[^/?#]*/i, '');
  return afterHost.replace(/[?#].*$/s, '') || '/';
}

const unsafe = (path: string, why: string) =>
  new Problem('unsafe_path', `The path ${path.slice(0, 200)} is refused: ${why}.`);
