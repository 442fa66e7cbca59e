import type { Described } from './openapi-schemas.ts';
import { exampleOf, type Sent } from './property-requests.ts';

/** The records that the examples of the description speak of, as they are called in this edge. */
export interface World {
  /** From here on all records have new names, as some can be made only once. */
  rename(): void;
  /** Makes every record that the examples speak of, under new names. */
  makeAnew(): Promise<void>;
  /** A request about the examples' records, about those of now. */
  translate(request: Sent): Sent;
  /** Keeps the ids that an answer gives away. */
  learn(maker: Described, answer: Response): Promise<void>;
}

/** Names that makers choose themselves: those of the examples, by word. */
const CHOSEN =
  /\b(?:tiny|sa-east-1|node-sp-1|on-call|too-many-errors|TooManyErrors|(?<!edge-)inference)\b/g;

/** Nobody listens at this port: what the examples name as targets is not asked for anything. */
const NOWHERE = [
  ['https://hooks.example.com', 'http://127.0.0.1:9'],
  ['http://127.0.0.1:8002', 'http://127.0.0.1:9'],
] as const;

/** Ids and secrets in responses, and the parameter or member of which operation's example uses them. */
const GIVEN: Readonly<Record<string, readonly Given[]>> = {
  monitoring_createSilence: [{ user: 'monitoring_expireSilence', member: 'id' }],
  gateway_createKey: [
    { user: 'gateway_revokeKey', member: 'key_id' },
    { user: 'gateway_signIn', member: 'key' },
  ],
  gateway_storeMemory: [
    { user: 'gateway_getMemory', member: 'memory_id' },
    { user: 'gateway_deleteMemory', member: 'memory_id' },
  ],
  registry_createUpload: [{ user: 'registry_showUpload', member: 'location' }],
  training_createUpload: [{ user: 'training_showUpload', member: 'location' }],
  training_train: [{ user: 'training_getJob', member: 'job_id' }],
  training_announceTrainer: [{ user: 'training_getTrainer', member: 'trainer_id' }],
};

interface Given {
  readonly user: string;
  readonly member: string;
}

/** @param headers what shows who makes the records */
export function createWorld(
  base: URL,
  operations: readonly Described[],
  headers: Readonly<Record<string, string>> = {},
): World {
  const makers = ['POST', 'PUT'].flatMap((method) =>
    operations.filter((described) => described.method === method),
  );
  const real = new Map<string, string>(NOWHERE);
  let round = 0;

  function translated(text: string): string {
    let result = text.replace(CHOSEN, (name) => `${name}-${round}`);
    // The longest first, as a key holds its id.
    const byLength = [...real].toSorted(([a], [b]) => b.length - a.length);
    for (const [shown, now] of byLength) result = result.replaceAll(shown, now);
    return result;
  }

  function translate(request: Sent): Sent {
    const { path, body } = request;
    const other = typeof body === 'string' ? translated(body) : body;
    return { ...request, path: translated(path), ...(other !== undefined && { body: other }) };
  }

  async function learn(maker: Described, answer: Response): Promise<void> {
    const given = answer.ok ? (GIVEN[maker.id] ?? []) : [];
    for (const { user, member } of given) {
      const shown = operations.find(({ id }) => id === user);
      const now =
        member === 'location'
          ? answer.headers.get('location')?.split('/').at(-1)
          : (await membersOf(answer.clone()))[member];
      if (shown && now !== undefined) real.set(shownIn(shown, member), now);
    }
  }

  return {
    translate,
    learn,
    rename: () => void round++,
    async makeAnew() {
      round++;
      for (const maker of makers) {
        const { path, ...init } = translate(exampleOf(maker));
        const answer = await fetch(new URL(path, base), {
          ...init,
          headers: { ...init.headers, ...headers },
        });
        await learn(maker, answer);
        await answer.body?.cancel();
      }
    },
  };
}

const membersOf = async (answer: Response) =>
  (await answer.json()) as Readonly<Record<string, string>>;

/** The value in an operation's example: a member of its body, or the end of its path. */
function shownIn(described: Described, member: string): string {
  const { body, path } = exampleOf(described);
  const members = typeof body === 'string' ? (JSON.parse(body) as Record<string, string>) : {};
  const [bare = ''] = path.split('?');
  return members[member] ?? bare.split('/').at(-1) ?? '';
}
