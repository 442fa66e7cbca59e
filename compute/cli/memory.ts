import type { CausalEdge } from '../../edge/memory/contract/causal.ts';
import { type Client, clientOf } from '../../edge/contract/client.ts';
import { memoryEndpoints } from '../../edge/memory/endpoints.ts';
import {
  DEFAULT_MEMORY_NAMESPACE,
  type NewMemoryInput,
  type StoredMemory,
} from '../../edge/memory/contract/memory.ts';
import type { MemoryHit } from '../../edge/memory/contract/search.ts';
import { atGateway, type GatewayOptions, openGateway } from './gateway-access.ts';
import { durationOption } from './keys-options.ts';
import { numberOption } from './numbers.ts';
import { Command, InvalidArgumentError } from 'commander';

export function memoryCommand(): Command {
  return new Command('memory')
    .addCommand(storeCommand())
    .addCommand(retrieveCommand())
    .addCommand(askCommand())
    .addCommand(
      inNamespace(new Command('export'), 'memory:read')
        .description('Export memories to standard output, one JSON object per line.')
        .option('--user <id>', 'only this user (default: all)')
        .option('--all', 'all namespaces')
        .action(exportAll),
    )
    .addCommand(
      inNamespace(new Command('erase'), 'memory:write')
        .description('Delete all memories of a user permanently.')
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
    .option('-n, --namespace <name>', 'namespace of the memories', DEFAULT_MEMORY_NAMESPACE)
    .option('--owner <owner>', 'another owner, such as key:abc (administrators only)');

const found = (command: Command): Command =>
  inNamespace(command, 'memory:read')
    .option('-k, --top <n>', 'how many', numberOption, 10)
    .option('--tag <tag...>', 'only with all of these tags')
    .option('--user <id>', 'only this user')
    .option('--as-of <time>', 'state at this time, such as 2026-11-20T10:00:00Z')
    .option('--json', 'as JSON');

const openMemory = (options: GatewayOptions): Client<typeof memoryEndpoints> =>
  clientOf(memoryEndpoints, openGateway(options));

function storeCommand(): Command {
  return atGateway(new Command('store'), 'memory:write')
    .description('Store a memory; with -, one per line of standard input.')
    .argument('<text>', 'text of the memory, or -')
    .option('-n, --namespace <name>', 'where to', DEFAULT_MEMORY_NAMESPACE)
    .option('--user <id>', 'user of the memory')
    .option('--session <id>', 'session of the memory')
    .option('--tag <tag...>', 'tags of the memory')
    .option('--importance <x>', 'from 0 to 1', shareOption)
    .option('--at <time>', 'start of validity, such as 2026-11-20T10:00:00Z')
    .option('--ttl <time>', 'time to live, such as 12h or 30d', durationOption)
    .option('--json', 'one JSON object per line')
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
    .description('Search memories, best first.')
    .argument('<query>', 'query text')
    .option('--min-score <x>', 'minimum score, from 0 to 1', shareOption)
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

/** A memory that was stored, and the causes that were read from it. */
function describeStored({ memory_id, deduplicated, causal_edges }: StoredMemory): string {
  const known = deduplicated ? '  known already' : '';
  const causes = causal_edges.map(
    ({ cause, relation, effect }) => `\n    ${cause} —${relation}→ ${effect}`,
  );
  return `${memory_id}${known}${causes.join('')}`;
}

/** A memory in a line, with its score. */
function describeHit({ score, valid_at, content, tags }: MemoryHit): string {
  const labels = tags.map((tag) => ` #${tag}`).join('');
  return `${score.toFixed(3)}  ${valid_at}  ${content.replaceAll(/\s+/g, ' ')}${labels}`;
}

/** A cause and its effect in a line, with the words that say so. */
function describeEdge(edge: CausalEdge): string {
  const contested = edge.contradicted ? '  (contradicted)' : '';
  const head = `${edge.confidence.toFixed(2)}  ${edge.cause} —${edge.relation}→ ${edge.effect}`;
  return `${head}${contested}\n      “${edge.evidence.replaceAll(/\s+/g, ' ')}”`;
}
