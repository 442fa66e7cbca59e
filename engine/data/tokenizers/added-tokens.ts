import type { BpeForm } from './bpe-model.ts';

/** Tells texts that are one token from the text around them, as it comes. */
export interface AddedSplitter {
  push(text: string): void;
  end(): void;
}

interface Taking {
  text(part: string): void;
  token(id: number): void;
}

/** Cuts a text at added tokens, the longest first where several begin at one place. */
export function addedSplitter(added: BpeForm['added'], take: Taking): AddedSplitter {
  const contents = added.map(({ content }) => content).toSorted((a, b) => b.length - a.length);
  const longest = contents[0]?.length ?? 0;
  if (longest === 0) return { push: (text) => take.text(text), end() {} };
  const ids = new Map(added.map(({ id, content }) => [content, id]));
  const pattern = new RegExp(contents.map(escaped).join('|'), 'gu');
  let rest = '';
  /** Takes what lies before `limit`, from where on a longer token may still be on its way. */
  const split = (limit: number) => {
    let at = 0;
    for (const match of rest.matchAll(pattern)) {
      if (match.index >= limit) break;
      if (match.index > at) take.text(rest.slice(at, match.index));
      take.token(ids.get(match[0]) ?? 0);
      at = match.index + match[0].length;
    }
    if (limit > at) take.text(rest.slice(at, limit));
    rest = rest.slice(Math.max(at, limit));
  };
  return {
    push(text) {
      rest += text;
      split(Math.max(0, rest.length - longest + 1));
    },
    end: () => split(rest.length),
  };
}

const escaped = (text: string): string => text.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);
