import type { Tags } from '../../../edge/registry/contract/model.ts';

export type TagLines =
  | { readonly ok: true; readonly tags: Tags }
  | { readonly ok: false; readonly problem: 'badTag'; readonly line: number }
  | { readonly ok: false; readonly problem: 'twice'; readonly line: number; readonly key: string };

const LINE = /^\s*([A-Za-z0-9._-]{1,64})\s*(?::\s*(.{0,256}?)\s*)?$/;

/** Tags as people edit them: one on each line. */
export const writeTags = (tags: Tags): string =>
  Object.entries(tags)
    .map(([key, value]) => (value === '' ? key : `${key}: ${value}`))
    .join('\n');

/** Reads what `writeTags` wrote, and says which line is not understood. */
export function readTags(text: string): TagLines {
  const tags = new Map<string, string>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [, key, value = ''] = LINE.exec(line) ?? [];
    if (key === undefined) return { ok: false, problem: 'badTag', line: index + 1 };
    if (tags.has(key)) return { ok: false, problem: 'twice', line: index + 1, key };
    tags.set(key, value);
  }
  return { ok: true, tags: Object.fromEntries(tags) };
}

/** The merge patch from one set of tags to another: what is new or other, and null for what goes. */
export function tagPatch(before: Tags, after: Tags): Record<string, string | null> {
  const gone = Object.keys(before).filter((key) => !(key in after));
  const changed = Object.entries(after).filter(([key, value]) => before[key] !== value);
  return Object.fromEntries([...gone.map((key) => [key, null] as const), ...changed]);
}
