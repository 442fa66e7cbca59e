import { EngineError } from '../../engine/index.ts';

/** npm's limit. */
const MAX_LENGTH = 214;
/** Names that npm takes for packages and that are folders on every system. */
const NAME = /^[a-z0-9][a-z0-9._-]*$/;
/** npm takes none of the first two, and installs no package inside one of the same name. */
const TAKEN: ReadonlySet<string> = new Set(['node_modules', 'favicon.ico', 'spikegrid']);

/**
 * Checks the name of a project, which is that of its folder and of its package. Throws EngineError
 * `invalid-setting` that says what is wrong with it.
 */
export function checkProjectName(name: string): void {
  const refuse = (why: string): never => {
    const shown = JSON.stringify(name.slice(0, 80));
    throw new EngineError('invalid-setting', `${shown} ${why}: expected a name such as my-network`);
  };
  if (name === '') refuse('is no name');
  if (/[/\\]/.test(name) || /^\.+$/.test(name)) {
    refuse('is a path; the project becomes a folder of this one');
  }
  if (name.length > MAX_LENGTH) refuse(`has ${name.length} characters, at most ${MAX_LENGTH}`);
  if (name.toLowerCase() !== name) refuse('has uppercase letters, which npm takes in no name');
  if (!NAME.test(name)) {
    refuse('is no name of a package: a to z, 0 to 9, and further on . _ and -');
  }
  if (TAKEN.has(name)) refuse('is taken');
}
