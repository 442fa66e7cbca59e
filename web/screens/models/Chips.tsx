import type { Tags, VersionStatus } from '../../../edge/registry/contract/model.ts';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import css from './Chips.module.css';
import { useModelsText } from './models-text.ts';

interface ChipsProps {
  readonly aliases: readonly string[];
  readonly tags: Tags;
}

/** The aliases of a version, and its tags after them. */
export function Chips({ aliases, tags }: ChipsProps) {
  if (aliases.length === 0 && Object.keys(tags).length === 0) return null;
  return (
    <ul className={css['chips']}>
      {aliases.map((alias) => (
        <li key={`@${alias}`} className={classNames(css['chip'], css['alias'])}>
          {`@${alias}`}
        </li>
      ))}
      {Object.entries(tags).map(([key, value]) => (
        <li key={key} className={css['chip']}>
          {tagText(key, value)}
        </li>
      ))}
    </ul>
  );
}

export const tagText = (key: string, value: string): string =>
  value === '' ? key : `${key}: ${value}`;

const TONES: Readonly<Record<VersionStatus, BadgeTone>> = {
  PENDING: 'neutral',
  READY: 'good',
  FAILED: 'bad',
};

export function StatusBadge({ status }: { readonly status: VersionStatus }) {
  return <Badge tone={TONES[status]}>{useModelsText().t(`models.${status}`)}</Badge>;
}
