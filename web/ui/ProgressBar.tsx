import css from './ProgressBar.module.css';

interface ProgressBarProps {
  /** The task in progress; read by screen readers with the value. */
  readonly label: string;
  /** 0 to 1. */
  readonly fraction: number;
  /** The value in words, such as "step 120 of 400". */
  readonly valueText: string;
}

export function ProgressBar({ label, fraction, valueText }: ProgressBarProps) {
  return (
    <progress
      className={css['bar']}
      aria-label={label}
      aria-valuetext={valueText}
      max={1}
      value={Math.min(1, Math.max(0, fraction))}
    />
  );
}
