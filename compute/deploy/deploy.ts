import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../process/operator-error.ts';
import { type Environment, type SECRETS, writeConfig } from './environment.ts';
import { firstKeyPath, firstKeySetting } from './first-key.ts';
import { BARS, describeMeasured, measure } from './measure.ts';
import { addressIn, bucketsIn, CALLS, SAYS, secretsIn } from './wrangler-calls.ts';
import type { Ran, Wrangler } from './wrangler.ts';

export interface Deployment {
  readonly root: string;
  readonly environment: Environment;
  readonly wrangler: Wrangler;
  /** Whether something may be made. */
  ask(question: string): Promise<boolean>;
  say(text: string): void;
  /** Secrets of the person who deploys, such as DISTRIBUTED_WS_REDIS. */
  readonly secrets: Readonly<Record<string, string | undefined>>;
}

/** Bundles and measures what would be deployed, and says what would be done; nothing is asked of Cloudflare. */
export async function rehearse(deployment: Deployment): Promise<void> {
  const { root, environment, wrangler, say } = deployment;
  const { names } = environment;
  writeConfig(environment);
  say(describeEnvironment(environment));
  const folder = join(root, 'dist/deploy', `${names.environment}-bundle`);
  rmSync(folder, { recursive: true, force: true });
  await must(wrangler(CALLS.bundle(names, folder)), 'the Worker does not bundle');
  const measured = await measure(wrangler, names, folder);
  say(describeMeasured(measured));
  if (measured.kilobytes > BARS.kilobytes) throw new OperatorError('the bundle is too large');
  say('a deployment would run, each where it is needed:');
  const calls = [
    CALLS.whoAmI(),
    CALLS.listBuckets(),
    ...names.buckets.map((bucket) => CALLS.createBucket(names, bucket)),
    CALLS.listSecrets(names),
    CALLS.deploy(names),
    CALLS.putSecret(names, 'BOOTSTRAP_KEY'),
  ];
  for (const call of calls) say(`  wrangler ${call.join(' ')}`);
  say(`the first key would lie in ${firstKeyPath(root, names.worker)}`);
}

/** Makes what is missing, deploys, and puts the secrets that are missing. */
export async function deploy(deployment: Deployment): Promise<void> {
  const { root, environment, wrangler, say } = deployment;
  const { names } = environment;
  writeConfig(environment);
  say(describeEnvironment(environment));
  await must(wrangler(CALLS.whoAmI()), 'not signed in to Cloudflare');
  await makeBuckets(deployment);
  const there = await secretsThere(deployment);
  // Objects are made and their classes migrated with it; their tables are, when each next wakes.
  const deployed = await must(wrangler(CALLS.deploy(names)), 'the Worker was not deployed');
  const path = firstKeyPath(root, names.worker);
  if (!there?.includes('BOOTSTRAP_KEY')) {
    await putSecret(deployment, 'BOOTSTRAP_KEY', await firstKeySetting(path));
  }
  const redis = deployment.secrets['DISTRIBUTED_WS_REDIS'];
  if (redis && !there?.includes('DISTRIBUTED_WS_REDIS')) {
    await putSecret(deployment, 'DISTRIBUTED_WS_REDIS', redis);
  }
  say(`deployed: ${addressIn(deployed.printed) ?? 'wrangler reported no address'}`);
  say(
    existsSync(path)
      ? `the first key lies in ${path}`
      : 'the first key exists already, on the machine of the first deployment',
  );
}

async function makeBuckets({ environment, wrangler, ask, say }: Deployment): Promise<void> {
  const { names } = environment;
  const listed = await must(wrangler(CALLS.listBuckets()), 'the buckets cannot be listed');
  const there = new Set(bucketsIn(listed.printed));
  for (const bucket of names.buckets.filter((one) => !there.has(one))) {
    if (!(await ask(`Make the bucket ${bucket}?`))) {
      throw new OperatorError(`there is no bucket ${bucket}, and it was not to be made`);
    }
    const made = await wrangler(CALLS.createBucket(names, bucket));
    // Somebody else may have made it meanwhile.
    if (made.code !== 0 && !SAYS.bucketExists.test(made.printed)) {
      throw failure(made, `the bucket ${bucket} was not made`);
    }
    say(`made the bucket ${bucket}`);
  }
}

/** The secrets of the Worker; undefined where there is no such Worker yet. */
async function secretsThere(deployment: Deployment): Promise<readonly string[] | undefined> {
  const { environment, wrangler, ask } = deployment;
  const { worker } = environment.names;
  const listed = await wrangler(CALLS.listSecrets(environment.names));
  if (listed.code !== 0 && SAYS.noWorker.test(listed.printed)) {
    if (await ask(`Make the Worker ${worker}, and a first key to it?`)) return undefined;
    throw new OperatorError(`there is no Worker ${worker}, and it was not to be made`);
  }
  if (listed.code !== 0) throw failure(listed, 'the secrets cannot be listed');
  const there = secretsIn(listed.printed);
  if (there.includes('BOOTSTRAP_KEY') || existsSync(firstKeyPath(deployment.root, worker))) {
    return there;
  }
  throw new OperatorError(
    `the name ${worker} is taken: a Worker of that name is there without the secret BOOTSTRAP_KEY, so it may be ` +
      'something else; deploy with another --name, or set the secret by hand',
  );
}

async function putSecret(
  { environment, wrangler, say }: Deployment,
  name: (typeof SECRETS)[number],
  value: string,
): Promise<void> {
  const put = wrangler(CALLS.putSecret(environment.names, name), { stdin: value });
  await must(put, `the secret ${name} was not put; the next deployment tries again`);
  say(`put the secret ${name}`);
}

async function must(running: Promise<Ran>, otherwise: string): Promise<Ran> {
  const ran = await running;
  if (ran.code !== 0) throw failure(ran, otherwise);
  return ran;
}

function failure({ printed }: Ran, otherwise: string): OperatorError {
  if (SAYS.notSignedIn.test(printed)) {
    return new OperatorError(
      'not signed in to Cloudflare: run npx wrangler login, or set CLOUDFLARE_API_TOKEN',
    );
  }
  return new OperatorError(`${otherwise}:\n${printed.trim()}`);
}

function describeEnvironment({ names, shared }: Environment): string {
  const rows = [
    `environment: ${names.environment}`,
    `Worker: ${names.worker}, with objects of its own`,
    `buckets: ${names.buckets.join(', ')}`,
    'database: none (objects store their own tables)',
    ...(shared.length > 0 ? [`as under [vars]: ${shared.join(', ')}`] : []),
  ];
  return rows.join('\n');
}
