import { EngineError } from '../../errors.ts';
import { reasonOf } from './json.ts';

/**
 * For a package that a user installs where one format needs it, caught around the import itself: bundlers pass over an
 * import that is missing only where it stands in a `try` block. It says how to install it.
 */
export function missingPeer(name: string, purpose: string, cause: unknown): EngineError {
  return new EngineError(
    'invalid-setting',
    `${purpose} needs the package ${name}, which cannot be loaded (${reasonOf(cause)}): ` +
      `install it with "npm install ${name}"`,
    { cause },
  );
}
