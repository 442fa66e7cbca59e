import { Command, InvalidArgumentError } from 'commander';
import { type Client, clientOf } from '../../edge/contract/client.ts';
import { memoryEndpoints } from '../../edge/memory/endpoints.ts';
import {
  DEFAULT_MEMORY_NAMESPACE,
  type NewMemoryInput,
} from '../../edge/memory/contract/memory.ts';
import { durationOption } from './keys-options.ts';
import { atGateway, type GatewayOptions, openGateway } from './gateway-access.ts';
import { describeEdge, describeHit, describeStored } from './memory-text.ts';
import { numberOption } from './numbers.ts';

export function memoryCommand(): Command {
  return new Command('memory')
    .description('Store, find, follow and forget memories.')
    .addCommand(storeCommand())
    .addCommand(retrieveCommand())
    .addCommand(askCommand())
    .addCommand(
      inNamespace(new Command('export'), 'memory:read')
        .description('Write memories to standard output, a line of JSON for each.')
        .option('--user <id>', 'of this user; of all if left out')
        .option('--all', 'of all namespaces')
        .action(exportAll),
    )
    .addCommand(
      inNamespace(new Command('erase'), 'memory:write')
        .description('Delete all memories of a user for good.')
        .argument('<user>', 'whose')
        .option('--all', 'in all namespaces')
        .action(erase),
    );
}

type Options = GatewayOptions & {
  readonly namespace: string;
  readonly owner?: string;
};
type Json = { readonly json?: true };

/** The options of every command that is about one namespace. */
const inNamespace = (command: Command, scope: string): Command =>
  atGateway(command, scope)
    .option('-n, --namespace <name>', 'which memories', DEFAULT_MEMORY_NAMESPACE)
    .option('--owner <owner>', 'of another, such as key:abc; for administrators');

const found = (command: Command): Command =>
  inNamespace(command, 'memory:read')
    .option('-k, --top <n>', 'how many', numberOption, 10)
    .option('--tag <tag...>', 'only with all of these')
    .option('--user <id>', 'only of this user')
    .option('--as-of <time>', 'as it was then, such as 2026-11-20T10:00:00Z')
    .option('--json', 'as JSON');

const openMemory = (options: GatewayOptions): Client<typeof memoryEndpoints> =>
  clientOf(memoryEndpoints, openGateway(options));

function storeCommand(): Command {
  return atGateway(new Command('store'), 'memory:write')
    .description('Store a memory; with - a line of standard input each.')
    .argument('<text>', 'what to remember, or -')
    .option('-n, --namespace <name>', 'where to', DEFAULT_MEMORY_NAMESPACE)
    .option('--user <id>', 'whom it is about or from')
    .option('--session <id>', 'of which session')
    .option('--tag <tag...>', 'labels to find it by')
    .option('--importance <x>', 'from 0 to 1', shareOption)
    .option('--at <time>', 'since when it holds, such as 2026-11-20T10:00:00Z')
    .option('--ttl <time>', 'when it is deleted, such as 12h or 30d', durationOption)
    .option('--json', 'one JSON object a line')
    .action(store);
}

type StoreOptions = GatewayOptions &
  Json & {
    readonly namespace: string;
    readonly user?: string;
    readonly session?: string;
    readonly tag?: string[];
    readonly importance?: number;
    readonly at?: string;
    readonly ttl?: number;
  };

/** So many lines go with one request. */
const BATCH = 64;

async function store(text: string, options: StoreOptions): Promise<void> {
  const client = openMemory(options);
  const show = options.json ? JSON.stringify : describeStored;
  const lines = text === '-' ? (await readInput()).split('\n') : [text];
  const contents = lines.filter((line) => line.trim() !== '');
  for (let first = 0; first < contents.length; first += BATCH) {
    const some = contents.slice(first, first + BATCH).map((line) => memoryOf(line, options));
    const { memories } = await client.storeMemories({ body: { memories: some } });
    for (const memory of memories) console.log(show(memory));
  }
}

function memoryOf(content: string, options: StoreOptions): NewMemoryInput {
  const { namespace, user, session, tag, importance, at, ttl } = options;
  return {
    content,
    namespace,
    ...(user !== undefined && { user_id: user }),
    ...(session !== undefined && { session_id: session }),
    ...(tag && { tags: tag }),
    ...(importance !== undefined && { importance }),
    ...(at !== undefined && { occurred_at: at }),
    ...(ttl !== undefined && { ttl_s: ttl }),
  };
}

async function readInput(): Promise<string> {
  process.stdin.setEncoding('utf8');
  let text = '';
  for await (const chunk of process.stdin) text += String(chunk);
  return text;
}

/** Parses a number from 0 to 1. */
function shareOption(text: string): number {
  const share = Number(text);
  if (text.trim() !== '' && share >= 0 && share <= 1) return share;
  throw new InvalidArgumentError(`got "${text}", expected a number from 0 to 1.`);
}

function retrieveCommand(): Command {
  return found(new Command('retrieve'))
    .description('Find memories, the best first.')
    .argument('<query>', 'what to look for')
    .option('--min-score <x>', 'only with this score, from 0 to 1', shareOption)
    .option('--strategy <name>', 'hybrid, lexical, semantic or associative', 'hybrid')
    .action(retrieve);
}

type FindOptions = Options &
  Json & {
    readonly top: number;
    readonly tag?: string[];
    readonly user?: string;
    readonly asOf?: string;
  };

/** The strategy goes as it is written: the gateway says which there are. */
async function retrieve(
  q: string,
  options: FindOptions & { readonly minScore?: number; readonly strategy: string },
): Promise<void> {
  const { namespace, owner, top, tag, user, asOf, minScore, strategy, json } = options;
  const query = { q, namespace, owner, top_k: top, tags: tag, user_id: user, as_of: asOf };
  const { results } = await openMemory(options).retrieveMemories({
    query: {
      ...query,
      min_score: minScore,
      strategy: strategy as 'hybrid',
    },
  });
  for (const hit of results) console.log(json ? JSON.stringify(hit) : describeHit(hit));
}

function askCommand(): Command {
  return found(new Command('ask'))
    .description('Find memories, and the causes that they name.')
    .argument('<query>', 'what to know')
    .option('--context <text...>', 'what was said before')
    .option('--hops <n>', 'how far to follow causes', hopsOption, 2)
    .action(ask);
}

function hopsOption(text: string): number {
  if (/^[0-4]$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`got "${text}", expected a whole number from 0 to 4.`);
}

async function ask(
  query: string,
  options: FindOptions & { readonly context?: string[]; readonly hops: number },
): Promise<void> {
  const { namespace, owner, top, tag, user, asOf, context, hops, json } = options;
  const answer = await openMemory(options).orchestrateMemory({
    body: {
      query,
      namespace,
      top_k: top,
      max_hops: hops,
      ...(owner !== undefined && { owner }),
      ...(context && { context }),
      ...(tag && { tags: tag }),
      ...(user !== undefined && { user_id: user }),
      ...(asOf !== undefined && { as_of: asOf }),
    },
  });
  if (json) return console.log(JSON.stringify(answer));
  for (const hit of answer.memories) console.log(describeHit(hit));
  if (answer.causal_edges.length > 0) console.log('');
  for (const edge of answer.causal_edges) console.log(describeEdge(edge));
}

type ScopeOptions = Options & { readonly all?: true };

const placeOf = ({ namespace, owner, all }: ScopeOptions) => ({
  namespace: all ? undefined : namespace,
  owner,
});

async function exportAll(options: ScopeOptions & { readonly user?: string }): Promise<void> {
  const query = { ...placeOf(options), user_id: options.user };
  const { body } = await openMemory(options).exportMemories({ query });
  // An answer of nothing has no body.
  for await (const chunk of body ?? []) process.stdout.write(chunk);
}

async function erase(user: string, options: ScopeOptions): Promise<void> {
  const { memories, namespaces } = await openMemory(options).eraseMemories({
    params: { user_id: user },
    query: placeOf(options),
  });
  const where = namespaces.length > 0 ? ` in ${namespaces.join(', ')}` : '';
  console.error(`erased ${memories} memories of ${user}${where}`);
}
