import { ICONS, type IconName } from './icons.ts';
import css from './Icon.module.css';

interface IconProps {
  readonly name: IconName;
  /** Small beside text, medium alone on a button, large above an empty state. */
  readonly size?: 'small' | 'medium' | 'large';
}

/** A picture beside words that say the same: always hidden from screen readers. */
export function Icon({ name, size = 'medium' }: IconProps) {
  return (
    <svg className={css[size]} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path className={css['stroke']} d={ICONS[name]} />
    </svg>
  );
}
