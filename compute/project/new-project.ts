import {
  chmod,
  cp,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  writeFile,
} from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EngineError } from '../../engine/index.ts';
import { checkProjectName } from './project-name.ts';

/** Folders of compute/templates/; `shared` is part of each. The package has them at the same place. */
const FOLDER = fileURLToPath(new URL('../templates/', import.meta.url));

export const TEMPLATES = ['classifier', 'text', 'events', 'neuron'] as const;
type Template = (typeof TEMPLATES)[number];

export interface NewProject {
  readonly name: string;
  readonly template: Template;
  /** The folder that the project becomes a folder of. */
  readonly parent: string;
  /** Where npm finds spikegrid, as a dependency says it: a version, or `file:` and a path. */
  readonly spikegrid: string;
}

/** The template of that name. Throws EngineError `invalid-setting`. */
export function parseTemplate(name: string): Template {
  const found = TEMPLATES.find((one) => one === name);
  if (found) return found;
  throw new EngineError(
    'invalid-setting',
    `there is no template "${name.slice(0, 80)}": expected ${TEMPLATES.join(', ')}`,
  );
}

/**
 * Makes the folder of a project, which appears by one rename, and returns its path. Throws EngineError
 * `invalid-setting` for a name that npm does not take and for a folder that is not empty, and what `fs` throws.
 */
export async function makeProject(project: NewProject): Promise<string> {
  checkProjectName(project.name);
  const target = resolve(project.parent, project.name);
  await expectRoom(target);
  const partial = await mkdtemp(join(project.parent, '.spikegrid-new-'));
  try {
    for (const part of ['shared', project.template]) {
      await cp(join(FOLDER, part), partial, { recursive: true });
    }
    // npm leaves files of that name out of packages.
    await rename(join(partial, 'gitignore'), join(partial, '.gitignore'));
    await writePackage(join(partial, 'package.json'), project);
    await nameProject(join(partial, 'README.md'), project.name);
    // mkdtemp makes it its user's alone.
    await chmod(partial, 0o755);
    await rmdir(target).catch(ignoreMissing);
    await rename(partial, target);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
  return target;
}

/** A folder that is empty is as good as none. */
async function expectRoom(target: string): Promise<void> {
  const names = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    if (error.code !== 'ENOTDIR') throw error;
    throw new EngineError('invalid-setting', `${target} is a file: expected another name`);
  });
  if (names.length === 0) return;
  const some = names.slice(0, 3).join(', ') + (names.length > 3 ? ' …' : '');
  throw new EngineError(
    'invalid-setting',
    `${target} is not empty, it holds ${some}: expected another name, or an empty folder`,
  );
}

async function writePackage(path: string, { name, spikegrid }: NewProject): Promise<void> {
  // Of our own template.
  const manifest = JSON.parse(await readFile(path, 'utf8')) as object;
  const named = { ...manifest, name, dependencies: { spikegrid } };
  await writeFile(path, `${JSON.stringify(named, undefined, 2)}\n`);
}

async function nameProject(readme: string, name: string): Promise<void> {
  const text = await readFile(readme, 'utf8');
  await writeFile(
    readme,
    text.replace(/^# .*/, () => `# ${name}`),
  );
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
