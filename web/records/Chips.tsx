import { classNames } from '../ui/class-names.ts';
import { Row } from '../ui/Layout.tsx';
import css from './Chips.module.css';

interface ChipsProps {
  readonly items: readonly string[];
  /** Shown before the others, in the accent colour. */
  readonly accented?: readonly string[];
}

/** Short labels in frames, such as tags; nothing where there are none. */
export function Chips({ items, accented = [] }: ChipsProps) {
  if (items.length + accented.length === 0) return null;
  return (
    <Row as="ul" gap={[1, 2]}>
      {[...accented, ...items].map((item, index) => (
        <li
          key={item}
          className={classNames(css['chip'], index < accented.length && css['accented'])}
        >
          {item}
        </li>
      ))}
    </Row>
  );
}
