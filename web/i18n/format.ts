import type { Language } from './language.ts';

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

const RELATIVE_UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** Numbers, sizes and times as one language writes them. Made once per language. */
export interface Format {
  /** 12,345 */
  integer(value: number): string;
  /** Three significant digits: 0.312, 1,230. Not finite: an en dash. */
  number(value: number): string;
  /** A fraction of 1 as per cent, one decimal: 0.062 is 6.2%. */
  percent(fraction: number): string;
  /** Decimal units, as file managers and download lists count: 1.2 MB. */
  bytes(count: number): string;
  /** Date and time of day with the zone's name. */
  dateTime(date: Date): string;
  /** "3 minutes ago", counted from `now`. */
  relative(date: Date, now: Date): string;
  /** "a, b and c" */
  list(items: readonly string[]): string;
}

/** @param timeZone an IANA name; the browser's own zone when left out */
export function createFormat(language: Language, timeZone?: string): Format {
  const locale = language === 'ja' ? 'ja-JP' : 'en-US';
  const integer = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const number = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const sizes = BYTE_UNITS.map((unit) => byteFormat(locale, unit));
  const dateTime = new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    ...(timeZone === undefined ? {} : { timeZone }),
  });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const list = new Intl.ListFormat(locale, { type: 'conjunction' });
  return {
    integer: (value) => integer.format(value),
    number: (value) => (Number.isFinite(value) ? number.format(value) : '–'),
    percent: (fraction) => (Number.isFinite(fraction) ? percent.format(fraction) : '–'),
    bytes: (count) => {
      const step = byteStep(count);
      return (sizes[step] ?? integer).format(count / 1000 ** step);
    },
    dateTime: (date) => dateTime.format(date),
    relative: (date, now) => relative.format(...relativeParts(date, now)),
    list: (items) => list.format(items),
  };
}

function byteFormat(locale: string, unit: (typeof BYTE_UNITS)[number]): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    // "5 byte" is not a word in either language.
    unitDisplay: unit === 'byte' ? 'long' : 'short',
    maximumFractionDigits: unit === 'byte' ? 0 : 1,
  });
}

/** Which power of 1000 `count` is written in; 999,960 bytes round to 1,000.0 kB and so are 1 MB. */
function byteStep(count: number): number {
  const last = BYTE_UNITS.length - 1;
  const step = BYTE_UNITS.findIndex((_, index) => count < 999.95 * 1000 ** index);
  return step === -1 ? last : step;
}

function relativeParts(date: Date, now: Date): [value: number, Intl.RelativeTimeFormatUnit] {
  const seconds = Math.round((date.getTime() - now.getTime()) / 1000);
  const unit = RELATIVE_UNITS.find(([, size]) => Math.abs(seconds) >= size);
  return unit ? [Math.round(seconds / unit[1]), unit[0]] : [0, 'second'];
}
