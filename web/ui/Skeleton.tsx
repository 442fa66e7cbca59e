import { Stack } from './Layout.tsx';
import css from './Skeleton.module.css';

export interface SkeletonProps {
  /** How many lines stand where the content will. */
  readonly lines: number;
  /** The height of one line in rem, that of what it stands for: nothing moves when that arrives. */
  readonly lineRem?: number;
}

/** Room kept for content on its way. The screen around it says `aria-busy`. */
export function Skeleton({ lines, lineRem = 1.5 }: SkeletonProps) {
  return (
    <Stack gap={0} aria-hidden="true">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className={css['line']} style={{ height: `${lineRem}rem` }} />
      ))}
    </Stack>
  );
}
