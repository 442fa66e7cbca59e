import { createInterface } from 'node:readline/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { buildDashboard } from '../launcher/dashboard-build.ts';
import { OperatorError } from '../process/operator-error.ts';
import { deploy, type Deployment, rehearse } from './deploy.ts';
import { environmentOf } from './environment.ts';
import { openWrangler } from './wrangler.ts';

interface Options {
  readonly dryRun?: true;
  readonly yes?: true;
  readonly env?: string;
  readonly name?: string;
  readonly wrangler?: string;
  readonly dashboard?: string;
  readonly config: string;
}

/** `npm run deploy`: puts the platform into a Cloudflare account. `run.mjs` has made the kernels. */
const root = fileURLToPath(new URL('../..', import.meta.url));
const command = new Command('deploy')
  .description('Deploy the platform to a Cloudflare account.')
  .option('--dry-run', 'build, bundle and measure, and list the steps without deploying')
  .option('--yes', 'create missing resources without asking')
  .option('--env <name>', 'environment other than production, such as staging')
  .option('--name <name>', 'override the name of the Worker in wrangler.toml')
  .option(
    '--config <file>',
    'configuration file instead of wrangler.toml',
    join(root, 'wrangler.toml'),
  )
  .option('--dashboard <folder>', 'built dashboard instead of dist/web')
  .option('--wrangler <file>', "an executable in place of the project's wrangler");

try {
  const options = command.parse().opts<Options>();
  if (options.dashboard === undefined) {
    const built = await buildDashboard(root);
    console.log(built === 'built' ? 'dist/web is built' : 'dist/web is up to date');
  }
  await (options.dryRun ? rehearse : deploy)(await deploymentOf(options));
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  console.error(`spikegrid: ${error.message}`);
  process.exitCode = 1;
}

async function deploymentOf(options: Options): Promise<Deployment> {
  const { config, dashboard, env, name, wrangler, yes } = options;
  const { experimental_readRawConfig: readRawConfig } = await import('wrangler');
  const { rawConfig } = readRawConfig({ config });
  const read = {
    ...rawConfig,
    ...(name !== undefined && { name }),
    ...(dashboard !== undefined && {
      assets: { ...rawConfig.assets, directory: resolve(dashboard) },
    }),
  };
  return {
    root,
    environment: environmentOf(root, read, env),
    wrangler: openWrangler(root, wrangler),
    ask: yes ? async () => true : ask,
    say: (text) => console.log(text),
    secrets: process.env,
  };
}

async function ask(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new OperatorError(`${question} Nobody is there to answer: --yes says yes to all`);
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`${question} [y/N] `).finally(() => terminal.close());
  return /^y(?:es)?$/i.test(answer.trim());
}
