import { url as mobyDick } from 'virtual:moby-dick';
import type { DataChoice } from '../protocol.ts';
import stories from './stories.txt?url';

type Bundled = Extract<DataChoice, { kind: 'bundled' }>;

/** The texts that come with the dashboard, each a file of its own that is fetched when it is chosen. */
export const BUNDLED_TEXTS = {
  'moby-dick': { kind: 'bundled', name: 'moby-dick.txt', url: mobyDick },
  stories: { kind: 'bundled', name: 'stories.txt', url: stories },
} as const satisfies Readonly<Record<string, Bundled>>;
