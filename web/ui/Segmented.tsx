import { useId } from 'react';
import { Icon } from './Icon.tsx';
import type { IconName } from './icons.ts';
import css from './Segmented.module.css';

interface SegmentedOption<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly icon?: IconName;
  /** Whether the icon stands alone, with the label read aloud and shown on hover, or beside it. */
  readonly face?: 'icon' | 'both';
  /** The label's own language, where it is not the page's. */
  readonly language?: string;
}

interface SegmentedProps<T extends string> {
  /** Subject of the choice; read by screen readers, not shown. */
  readonly legend: string;
  readonly options: readonly SegmentedOption<T>[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}

/** One of a few, all in sight: radio buttons that look like one control. */
export function Segmented<T extends string>({
  legend,
  options,
  value,
  onChange,
}: SegmentedProps<T>) {
  const name = useId();
  return (
    <fieldset className={css['group']}>
      <legend className="visually-hidden">{legend}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={css['option']}
          title={option.face === 'icon' ? option.label : undefined}
        >
          <input
            className={css['input']}
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span className={css['face']}>
            {option.icon && <Icon name={option.icon} size="small" />}
            <span
              className={option.face === 'icon' ? 'visually-hidden' : undefined}
              lang={option.language}
            >
              {option.label}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
