import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { EngineError } from '../../engine/index.ts';
import { compareFolders } from '../runs/compare-folders.ts';
import { makeProject, parseTemplate, TEMPLATES } from './new-project.ts';
import { nextSteps } from './next-steps.ts';
import { installedSource } from './package-source.ts';

/*
 * The command of the package, `npx spikegrid`. The platform's command line has many more; these need nothing but
 * the package.
 */
const USAGE = `Usage: spikegrid new NAME [--template ${TEMPLATES.join('|')}] [--package SPEC]
       spikegrid compare RUN… [--html FILE] [--svg FILE]

  new      makes a project in the folder NAME: a page, a training script, a test
  compare  compares runs that fitInFolder or the platform's train wrote

  --template NAME   where to begin (default: classifier)
  --package SPEC    dependency on spikegrid (default: where this one was installed from)
  --html FILE       where tables and curves are written as a page
  --svg FILE        where the curves are written as a picture
  --help, --version`;

/** The folder of the package, one above dist/. */
const PACKAGE = fileURLToPath(new URL('..', import.meta.url));

async function main(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      template: { type: 'string', default: 'classifier' },
      package: { type: 'string' },
      html: { type: 'string' },
      svg: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'V' },
    },
  });
  if (values.version === true) return console.log(await ownVersion());
  const [command, ...names] = positionals;
  if (values.help === true || command === undefined) return console.log(USAGE);
  if (command === 'compare') return console.log(await compareFolders(names, values));
  if (command === 'new') return makeNew(names, values);
  throw new EngineError(
    'invalid-setting',
    `there is no command "${command.slice(0, 80)}": expected new or compare`,
  );
}

async function makeNew(
  names: readonly string[],
  given: { readonly template: string; readonly package?: string | undefined },
): Promise<void> {
  const [name] = names;
  if (name === undefined || names.length > 1) {
    throw new EngineError('invalid-setting', `new takes one name, ${names.length} were given`);
  }
  const parent = process.cwd();
  const found = async () => installedSource(PACKAGE, await ownVersion(), resolve(parent, name));
  const template = parseTemplate(given.template);
  const project = { name, template, parent, spikegrid: given.package ?? (await found()) };
  await makeProject(project);
  console.log(nextSteps(project));
}

async function ownVersion(): Promise<string> {
  const manifest = await readFile(resolve(PACKAGE, 'package.json'), 'utf8');
  // Written by our own build.
  return (JSON.parse(manifest) as { readonly version: string }).version;
}

/** A bug keeps its stack. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isForUsers = error instanceof EngineError || 'code' in error;
  return isForUsers ? error.message : (error.stack ?? error.message);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(`spikegrid: ${describe(error)}`);
  process.exitCode = 1;
}
