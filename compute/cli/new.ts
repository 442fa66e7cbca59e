import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, Option } from 'commander';
import { VERSION } from '../../edge/http/version.ts';
import { makeProject, parseTemplate, TEMPLATES } from '../project/new-project.ts';
import { nextSteps } from '../project/next-steps.ts';
import { fileSource } from '../project/package-source.ts';

/** Written by `npm run pack`. */
const TARBALL = fileURLToPath(new URL(`../../dist/spikegrid-${VERSION}.tgz`, import.meta.url));

interface NewOptions {
  readonly template: string;
  readonly package?: string;
}

export function newCommand(): Command {
  return new Command('new')
    .argument('<name>', 'name of the project and of its folder')
    .addOption(
      new Option('--template <name>', 'where to begin').choices(TEMPLATES).default('classifier'),
    )
    .option(
      '--package <spec>',
      'dependency on spikegrid (default: what `npm run pack` writes in this checkout)',
    )
    .action(async (name: string, options: NewOptions) => {
      const parent = process.cwd();
      const spikegrid = options.package ?? fileSource(resolve(parent, name), TARBALL);
      const project = { name, template: parseTemplate(options.template), parent, spikegrid };
      await makeProject(project);
      console.log(nextSteps(project));
      if (options.package === undefined && !existsSync(TARBALL)) {
        console.log(`before npm install, in the checkout of spikegrid: npm run pack`);
      }
    });
}
