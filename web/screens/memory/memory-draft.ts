import { MEMORY_LIMITS, type NewMemoryInput } from '../../../edge/memory/contract/memory.ts';
import { namesIn } from './memory-fields.ts';
import { fromLocalInput } from '../../ui/local-time.ts';

/** A memory as it is written in the form. */
export interface MemoryDraft {
  readonly content: string;
  readonly namespace: string;
  readonly user: string;
  readonly tags: string;
  readonly importance: number;
  /** Local date and time; empty for now. */
  readonly since: string;
}

export const newDraft = (namespace: string): MemoryDraft => ({
  content: '',
  namespace,
  user: '',
  tags: '',
  importance: 0.5,
  since: '',
});

const encoder = new TextEncoder();

/** Bytes of the text in UTF-8; what is above `MEMORY_LIMITS.contentBytes` is not taken. */
export const bytesOf = ({ content }: MemoryDraft): number => encoder.encode(content).byteLength;

export const isReady = (draft: MemoryDraft): boolean =>
  draft.content.trim() !== '' && bytesOf(draft) <= MEMORY_LIMITS.contentBytes;

export const newMemoryOf = (draft: MemoryDraft): NewMemoryInput => ({
  content: draft.content,
  namespace: draft.namespace.trim(),
  importance: draft.importance,
  tags: [...namesIn(draft.tags)],
  ...(draft.user.trim() !== '' && { user_id: draft.user.trim() }),
  ...(draft.since !== '' && { occurred_at: fromLocalInput(draft.since) }),
});
