import type { Tags, VersionStatus } from '../../../edge/registry/contract/model.ts';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';
import { useModelsText } from './words/en-models.ts';

/** Aliases as they are written in references. */
export const aliasTexts = (aliases: readonly string[]): readonly string[] =>
  aliases.map((alias) => `@${alias}`);

export const tagTexts = (tags: Tags): readonly string[] =>
  Object.entries(tags).map(([key, value]) => tagText(key, value));

const tagText = (key: string, value: string): string => (value === '' ? key : `${key}: ${value}`);

const TONES: Readonly<Record<VersionStatus, BadgeTone>> = {
  PENDING: 'neutral',
  READY: 'good',
  FAILED: 'bad',
};

export function StatusBadge({ status }: { readonly status: VersionStatus }) {
  return <Badge tone={TONES[status]}>{useModelsText().t(`models.${status}`)}</Badge>;
}
