import { EngineError } from '../../errors.ts';
import { reasonOf } from './json.ts';

/**
 * Loads a package that a user installs where one format needs it. Throws EngineError `invalid-setting` that
 * says how where it is missing.
 */
export async function loadPeer<T>(
  name: string,
  purpose: string,
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new EngineError(
      'invalid-setting',
      `${purpose} needs the package ${name}, which cannot be loaded (${reasonOf(cause)}): ` +
        `install it with "npm install ${name}"`,
      { cause },
    );
  }
}
