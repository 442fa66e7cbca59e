import type { Tags } from '../../../edge/registry/contract/model.ts';
import { classNames } from '../../ui/class-names.ts';
import css from './Chips.module.css';

export interface ChipsProps {
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
          {tagWords(key, value)}
        </li>
      ))}
    </ul>
  );
}

export const tagWords = (key: string, value: string): string =>
  value === '' ? key : `${key}: ${value}`;
