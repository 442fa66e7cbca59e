import type { TextFilter } from './filter.ts';

/** Moves where pieces end, so that none ends within the two units of one character. */
export function wholeCharacters(): TextFilter {
  let half = '';
  return {
    push(text) {
      const whole = half + text;
      const last = whole.charCodeAt(whole.length - 1);
      const isHalf = last >= 0xd800 && last <= 0xdbff;
      half = isHalf ? whole.slice(-1) : '';
      return isHalf ? whole.slice(0, -1) : whole;
    },
    end() {
      const rest = half;
      half = '';
      return rest;
    },
  };
}
