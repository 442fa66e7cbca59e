import { relativeFault } from '../../contract/path-fault.ts';
import { Problem } from '../../contract/refusal.ts';

/**
 * Refuses a path that would leave its root on some system, in any decoding. The message does not repeat
 * the path, which may be private.
 *
 * @throws Problem unsafe_path
 */
export function refuseUnsafePath(field: string, path: string): void {
  const fault = relativeFault(path);
  if (fault === undefined) return;
  const detail = `${fault}; expected a path below the root of the trainer, with forward slashes`;
  throw new Problem('unsafe_path', `${field} is refused: ${detail}.`, {
    errors: [{ pointer: `/${field}`, code: 'unsafe_path', detail }],
  });
}
