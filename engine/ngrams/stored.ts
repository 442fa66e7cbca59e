import type { BufferSpec, StoredBuffers } from '../checkpoint/parameters-file.ts';
import type { NgramSpec } from '../checkpoint/spec-members.ts';
import { EngineError } from '../errors.ts';
import { createNgramModel, type NgramModel } from './kneser-ney.ts';
import { checkTrie, type NgramTrie } from './trie.ts';

const NAMES = { tokens: 'ngrams.tokens', counts: 'ngrams.counts', children: 'ngrams.children' };

/** The tensors of the tables in model.safetensors; none of a model without them. */
export function ngramBuffers({
  ngrams,
}: {
  readonly ngrams?: NgramSpec | undefined;
}): BufferSpec[] {
  if (!ngrams) return [];
  const { nodes, inner } = ngrams;
  return [
    { name: NAMES.tokens, dtype: 'U32', shape: [nodes] },
    { name: NAMES.counts, dtype: 'U32', shape: [nodes] },
    { name: NAMES.children, dtype: 'U32', shape: [inner + 1] },
  ];
}

export function ngramSpecOf({ order, tokens, children }: NgramTrie, digest: string): NgramSpec {
  return { order, nodes: tokens.length, inner: children.length - 1, text_sha256: digest };
}

export function storedNgrams({ tokens, counts, children }: NgramTrie): StoredBuffers {
  const parts = { tokens, counts, children };
  const names = Object.keys(parts) as (keyof typeof parts)[];
  return new Map(
    names.map((name) => {
      const data = parts[name];
      return [NAMES[name], { dtype: 'U32', shape: [data.length], data }] as const;
    }),
  );
}

/** A model that may have tables, as its checkpoint holds it. */
interface WithNgrams {
  readonly spec: object;
  readonly buffers?: StoredBuffers | undefined;
}

/** The member `ngrams` of a spec of any family. */
export function ngramSpecIn(spec: object): NgramSpec | undefined {
  // The schemas of families that read text have it; no other spec has a member of this name.
  return 'ngrams' in spec ? (spec.ngrams as NgramSpec | undefined) : undefined;
}

/** The tables of a stored model; undefined where it has none. Throws EngineError `checkpoint-damaged`. */
export function ngramsOf({ spec, buffers }: WithNgrams): NgramTrie | undefined {
  const ngrams = ngramSpecIn(spec);
  if (!ngrams) return undefined;
  const part = (name: string) => {
    const data = buffers?.get(name)?.data;
    if (data instanceof Uint32Array) return data;
    throw new EngineError('checkpoint-damaged', `n-gram tables: ${name} is missing`);
  };
  const vocabulary = 'vocab_size' in spec ? Number(spec.vocab_size) : 0;
  const trie = {
    order: ngrams.order,
    vocabulary,
    tokens: part(NAMES.tokens),
    counts: part(NAMES.counts),
    children: part(NAMES.children),
  };
  checkTrie(trie);
  return trie;
}

/** The distributions of the tables of a stored model. Throws as `ngramsOf`. */
export function ngramModelOf(stored: WithNgrams): NgramModel | undefined {
  const trie = ngramsOf(stored);
  return trie && createNgramModel(trie);
}
