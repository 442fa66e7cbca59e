/** Names of everything that is deployed; no two environments share one. */
export interface Names {
  /** `production` where none was asked for. */
  readonly environment: string;
  readonly worker: string;
  readonly buckets: readonly string[];
  /** The configuration that was made for this environment. */
  readonly config: string;
}

/** Every call of wrangler that a deployment makes, as the arguments it is made with. */
export const CALLS = {
  whoAmI: () => ['whoami', '--json'],
  listBuckets: () => ['r2', 'bucket', 'list'],
  createBucket: (_: Names, bucket: string) => ['r2', 'bucket', 'create', bucket],
  listSecrets: ({ worker }: Names) => ['secret', 'list', '--name', worker, '--format', 'json'],
  bundle: ({ config }: Names, folder: string) => [
    'deploy',
    '--dry-run',
    '--config',
    config,
    '--outdir',
    folder,
  ],
  profile: ({ config }: Names, file: string) => [
    'check',
    'startup',
    '--config',
    config,
    '--outfile',
    file,
  ],
  deploy: ({ config }: Names) => ['deploy', '--config', config],
  /** The secret itself comes through standard input: arguments are seen by all of a machine. */
  putSecret: ({ worker }: Names, secret: string) => ['secret', 'put', secret, '--name', worker],
} as const satisfies Record<string, (names: Names, ...more: string[]) => readonly string[]>;

/** How wrangler says what a deployment goes on from; every other failure ends it. */
export const SAYS = {
  notSignedIn:
    /not (?:authenticated|logged in)|"loggedIn":\s*false|CLOUDFLARE_API_TOKEN|code: 10000\b/i,
  noWorker: /code: 10007\b|does not exist|no such worker|not found/i,
  bucketExists: /code: 10004\b|already exists/i,
} as const;

/** The names of buckets in what `r2 bucket list` prints. */
export const bucketsIn = (printed: string): readonly string[] =>
  Array.from(printed.matchAll(/^\s*name:\s+(\S+)\s*$/gm), ([, name = '']) => name);

/** The names of secrets in what `secret list` prints, whatever stands around the JSON. */
export function secretsIn(printed: string): readonly string[] {
  const [json = '[]'] = /\[[\s\S]*\]/.exec(printed) ?? [];
  return (JSON.parse(json) as readonly { readonly name: string }[]).map(({ name }) => name);
}

/** The address in what `deploy` prints. */
export const addressIn = (printed: string): string | undefined =>
  /https:\/\/[\w.-]+\.workers\.dev/.exec(printed)?.[0] ??
  /^\s+([\w.-]+\.[a-z]{2,}) \(custom domain/m.exec(printed)?.[1];
