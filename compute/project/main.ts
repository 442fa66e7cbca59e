import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { EngineError } from '../../engine/index.ts';
import { makeProject, parseTemplate, TEMPLATES } from './new-project.ts';
import { nextSteps } from './next-steps.ts';
import { installedSource } from './package-source.ts';

/*
 * The command of the package, `npx spikegrid`. The platform's command line has many more; these need nothing but
 * the package.
 */
const USAGE = `Usage: spikegrid new NAME [--template ${TEMPLATES.join('|')}] [--package SPEC]

  new      makes a project in the folder NAME: a page, a training script, a test

  --template NAME   where to begin (default: classifier)
  --package SPEC    dependency on spikegrid (default: where this one was installed from)
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
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'V' },
    },
  });
  if (values.version === true) return console.log(await ownVersion());
  const [command, ...names] = positionals;
  if (values.help === true || command === undefined) return console.log(USAGE);
  if (command !== 'new') throw unknownCommand(command);
  const [name] = names;
  if (name === undefined || names.length > 1) {
    throw new EngineError('invalid-setting', `new takes one name, ${names.length} were given`);
  }
  const parent = process.cwd();
  const project = {
    name,
    template: parseTemplate(values.template),
    parent,
    spikegrid:
      values.package ?? (await installedSource(PACKAGE, await ownVersion(), resolve(parent, name))),
  };
  await makeProject(project);
  console.log(nextSteps(project));
}

async function ownVersion(): Promise<string> {
  const manifest = await readFile(resolve(PACKAGE, 'package.json'), 'utf8');
  // Written by our own build.
  return (JSON.parse(manifest) as { readonly version: string }).version;
}

const unknownCommand = (name: string) =>
  new EngineError('invalid-setting', `there is no command "${name.slice(0, 80)}": expected new`);

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
