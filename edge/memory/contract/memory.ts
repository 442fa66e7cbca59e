import * as z from 'zod/mini';
import { Cursor, PageSize, pageMembers } from '../../contract/paging.ts';
import { Timestamp, TimestampInput } from '../../contract/timestamp.ts';
import { CausalEdge } from './causal.ts';
import { exactlyOne, says } from '../../contract/schema-rules.ts';

/** The namespace of memories that name none; it always exists. */
export const DEFAULT_MEMORY_NAMESPACE = 'default';

export const MEMORY_LIMITS = {
  /** The maximum size of a memory's text, in UTF-8. */
  contentBytes: 64 * 1024,
  /** The maximum size of its metadata as JSON. */
  metadataBytes: 16 * 1024,
  /** The maximum number of memories in one request. */
  batch: 64,
  tags: 32,
  /**
   * How far `occurred_at` may lie ahead, to allow for clock skew: a memory is not of the future.
   */
  aheadMs: 5 * 60_000,
} as const;

/**
 * A set of memories of one owner. Owners may use the same name and never see each other's memories.
 */
export const MemoryNamespace = z
  .string()
  .check(z.regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, 'expected a name such as notes or pump-7'));

/** The owner of namespaces: a key, the subject of a token, or this machine. */
export const MemoryOwner = z
  .string()
  .check(z.regex(/^(?:local|key:.{1,256}|token:.{1,256})$/u, 'expected local, key:… or token:…'));

export const MemoryId = z
  .string()
  .check(z.regex(/^mem_[0-9A-HJKMNP-TV-Z]{26}$/, 'expected mem_ and a ULID'));

/** JSON can contain a lone surrogate, which no encoding of text can. */
const isWellFormed = z.refine<string>((text) => text.isWellFormed(), 'holds half a character');
const isText = says(
  { pattern: /\S/ },
  z.refine<string>((text) => text.trim() !== '', 'expected more than white space'),
);

/** Text that is not blank. */
export const MemoryText = z.string().check(isText, isWellFormed);

/** A user or a session, by the name that the client uses. */
export const MemoryName = z.string().check(z.minLength(1), z.maxLength(128), isWellFormed);
/** A label to filter by. */
export const MemoryTag = z.string().check(z.minLength(1), z.maxLength(64), isWellFormed);

const encoder = new TextEncoder();
const bytesOf = (text: string): number => encoder.encode(text).byteLength;

/** One turn of a conversation. */
export const MemoryMessage = z.strictObject({
  role: z.enum(['user', 'assistant', 'system', 'tool']),
  content: MemoryText,
});
export type MemoryMessage = z.infer<typeof MemoryMessage>;

/** The text of a conversation: a line for each turn, `role: content`. */
export const contentOf = (messages: readonly MemoryMessage[]): string =>
  messages.map(({ role, content }) => `${role}: ${content}`).join('\n');

const tags = z.array(MemoryTag).check(z.maxLength(MEMORY_LIMITS.tags));
const Metadata = z.record(z.string(), z.unknown());

interface Said {
  readonly content?: string | undefined;
  readonly messages?: readonly MemoryMessage[] | undefined;
}
const textIn = ({ content, messages = [] }: Said): string => content ?? contentOf(messages);

/** A memory to be stored, with `content` or `messages`. */
export const NewMemory = z
  .strictObject({
    content: z.optional(MemoryText),
    messages: z.optional(z.array(MemoryMessage).check(z.minLength(1), z.maxLength(100))),
    namespace: z.prefault(MemoryNamespace, DEFAULT_MEMORY_NAMESPACE),
    /** Whom it is about or from: memories are exported and erased by user. */
    user_id: z.optional(MemoryName),
    session_id: z.optional(MemoryName),
    tags: z.prefault(tags, []),
    metadata: z.prefault(Metadata, {}),
    importance: z.prefault(z.number().check(z.gte(0), z.lte(1)), 0.5),
    /** Since when it holds; now by default. */
    occurred_at: z.optional(TimestampInput),
    /** The time after which it is deleted, in seconds. */
    ttl_s: z.optional(z.int().check(z.gte(1), z.lte(315_360_000))),
    /** Memories that cease to hold when this one begins to. */
    replaces: z.optional(z.array(MemoryId).check(z.maxLength(16))),
  })
  .check(
    says(
      exactlyOne('content', 'messages'),
      z.refine(
        ({ content, messages }) => (content === undefined) !== (messages === undefined),
        'expected either content or messages',
      ),
    ),
    z.refine(
      (said) => bytesOf(textIn(said)) <= MEMORY_LIMITS.contentBytes,
      'expected at most 64 KiB of text',
    ),
    z.refine(
      ({ metadata }) => bytesOf(JSON.stringify(metadata)) <= MEMORY_LIMITS.metadataBytes,
      'expected at most 16 KiB of metadata',
    ),
    z.refine(
      ({ occurred_at: at }) => !at || Date.parse(at) <= Date.now() + MEMORY_LIMITS.aheadMs,
      'occurred_at lies in the future',
    ),
  );
export type NewMemory = z.output<typeof NewMemory>;
export type NewMemoryInput = z.input<typeof NewMemory>;

/** Several memories of one namespace, stored in one transaction. */
export const NewMemories = z
  .strictObject({
    memories: z.array(NewMemory).check(z.minLength(1), z.maxLength(MEMORY_LIMITS.batch)),
  })
  .check(
    z.refine(
      ({ memories }) => new Set(memories.map(({ namespace }) => namespace)).size === 1,
      'expected the same namespace for all',
    ),
  );

/** A cause named in the text of one memory, literally. */
export const FoundCause = z.pick(CausalEdge, {
  cause: true,
  effect: true,
  relation: true,
  confidence: true,
  evidence: true,
});
export type FoundCause = z.infer<typeof FoundCause>;

/** The response to storing a memory. */
export const StoredMemory = z.object({
  memory_id: MemoryId,
  namespace: MemoryNamespace,
  created_at: Timestamp,
  /** Whether the same user already has a memory of the same text: then its id is returned. */
  deduplicated: z.boolean(),
  /** The causes recognised in the text. */
  causal_edges: z.array(FoundCause),
});
export type StoredMemory = z.infer<typeof StoredMemory>;

export const StoredMemories = z.object({ memories: z.array(StoredMemory) });
export type StoredMemories = z.infer<typeof StoredMemories>;

/** A stored memory. */
export const MemoryRecord = z.object({
  memory_id: MemoryId,
  namespace: MemoryNamespace,
  content: z.string(),
  user_id: z.nullable(z.string()),
  session_id: z.nullable(z.string()),
  tags: z.array(z.string()),
  metadata: Metadata,
  importance: z.number(),
  created_at: Timestamp,
  /** The time during which it holds; null while nothing ends it. */
  valid_at: Timestamp,
  invalid_at: z.nullable(Timestamp),
  /** When it is deleted automatically; null for never. */
  expires_at: z.nullable(Timestamp),
});
export type MemoryRecord = z.infer<typeof MemoryRecord>;

/** A memory with the causes named in its text: a single one, or a line of an export. */
export const WholeMemory = z.extend(MemoryRecord, { causal_edges: z.array(FoundCause) });
export type WholeMemory = z.infer<typeof WholeMemory>;

/**
 * The namespace; `owner` is for administrators, and for those of a team (team:admin) with the keys
 * of it.
 */
export const inNamespace = {
  namespace: z.prefault(MemoryNamespace, DEFAULT_MEMORY_NAMESPACE),
  owner: z.optional(MemoryOwner),
} as const;
export const MemoryPlace = z.strictObject(inNamespace);
export type MemoryPlace = z.output<typeof MemoryPlace>;

/** Conditions on memories; all tags have to match. */
export const memoryFilters = {
  user_id: z.optional(MemoryName),
  session_id: z.optional(MemoryName),
  tags: z.optional(z.array(MemoryTag).check(z.maxLength(MEMORY_LIMITS.tags))),
  /** The time as of which memories are considered; now by default. */
  as_of: z.optional(TimestampInput),
} as const;

/** The query parameters that may be repeated. */
export const MEMORY_LISTS = ['tags'] as const;

export const MemoryQuery = z.strictObject({
  ...inNamespace,
  ...memoryFilters,
  limit: z.prefault(PageSize, '20'),
  cursor: z.optional(Cursor),
});
export type MemoryQuery = z.output<typeof MemoryQuery>;

/** A page of memories, the latest stored first. */
export const MemoryList = z.object({
  memories: z.array(MemoryRecord),
  total: z.int(),
  ...pageMembers,
});
export type MemoryList = z.infer<typeof MemoryList>;

export const MemoryDeleted = z.object({ status: z.literal('deleted'), memory_id: MemoryId });
export type MemoryDeleted = z.infer<typeof MemoryDeleted>;
