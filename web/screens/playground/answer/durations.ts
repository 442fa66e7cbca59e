import type { PlaygroundText } from '../playground-text.ts';

/** 312 ms, 4.21 s. */
export function durationWords({ t }: PlaygroundText, ms: number): string {
  return ms < 1000 ? t('time.ms', { value: ms }) : t('time.s', { value: ms / 1000 });
}
