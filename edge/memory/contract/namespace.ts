import * as z from 'zod/mini';
import { Cursor, PageSize, pageMembers } from '../../contract/paging.ts';
import { Timestamp } from '../../contract/timestamp.ts';
import { MemoryName, MemoryNamespace, MemoryOwner } from './memory.ts';

/** `owner` is for administrators, who see all namespaces without it, and for those of a team. */
export const NamespaceQuery = z.strictObject({
  owner: z.optional(MemoryOwner),
  limit: z.prefault(PageSize, '100'),
  cursor: z.optional(Cursor),
});
export type NamespaceQuery = z.output<typeof NamespaceQuery>;

export const MemoryNamespaceRecord = z.object({
  namespace: MemoryNamespace,
  owner: z.string(),
  created_at: Timestamp,
});
export type MemoryNamespaceRecord = z.infer<typeof MemoryNamespaceRecord>;

/** Namespaces, the latest created first. */
export const MemoryNamespaceList = z.object({
  namespaces: z.array(MemoryNamespaceRecord),
  ...pageMembers,
});
export type MemoryNamespaceList = z.infer<typeof MemoryNamespaceList>;

export const MemoryNamespaceDeleted = z.object({
  status: z.literal('deleted'),
  namespace: MemoryNamespace,
  /** The number of deleted memories. */
  memories: z.int(),
});
export type MemoryNamespaceDeleted = z.infer<typeof MemoryNamespaceDeleted>;

/** All namespaces of the owner where none is named. */
export const EraseQuery = z.strictObject({
  namespace: z.optional(MemoryNamespace),
  owner: z.optional(MemoryOwner),
});
export type EraseQuery = z.output<typeof EraseQuery>;

/** The scope of an export: one user or all, one namespace or all of the owner. */
export const ExportQuery = z.extend(EraseQuery, { user_id: z.optional(MemoryName) });
export type ExportQuery = z.output<typeof ExportQuery>;

export const MemoryErased = z.object({
  status: z.literal('erased'),
  user_id: z.string(),
  memories: z.int(),
  /** The namespaces that contained some of them. */
  namespaces: z.array(MemoryNamespace),
});
export type MemoryErased = z.infer<typeof MemoryErased>;

/** The memories about or from a user, which erasing the user would delete. */
export const MemoryUser = z.object({
  user_id: z.string(),
  memories: z.int(),
  /** By namespace. */
  namespaces: z.array(z.object({ namespace: MemoryNamespace, memories: z.int() })),
});
export type MemoryUser = z.infer<typeof MemoryUser>;

/** The contents of a namespace. */
export const MemoryStats = z.object({
  namespace: MemoryNamespace,
  owner: z.string(),
  memories: z.int(),
  users: z.int(),
  /** Edges of the causal graph, and the spans of text that support them. */
  edges: z.int(),
  evidence: z.int(),
  /** Memories compared by similarity; beyond these, the rest is found by words. */
  vectors: z.int(),
  storage_bytes: z.int(),
  first_valid_at: z.nullable(Timestamp),
  last_valid_at: z.nullable(Timestamp),
});
export type MemoryStats = z.infer<typeof MemoryStats>;
