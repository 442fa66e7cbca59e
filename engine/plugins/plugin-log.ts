export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogEntry {
  /** Sequence number from 1 without gaps; the oldest entries are dropped. */
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly level: LogLevel;
  readonly message: string;
}

const MAX_ENTRIES = 500;
const MAX_LENGTH = 4096;

/** A message of a plugin, of bounded length. */
export function brief(text: unknown): string {
  const whole = String(text);
  return whole.length > MAX_LENGTH ? `${whole.slice(0, MAX_LENGTH)}…` : whole;
}

/** The latest messages of one plugin, in bounded memory. */
export class PluginLog {
  readonly #entries: LogEntry[] = [];
  #seq = 0;

  /** A plugin of plain JavaScript may name any level: one that there is not is `info`. */
  add(level: LogLevel, message: string): void {
    this.#seq += 1;
    const known = LOG_LEVELS.includes(level) ? level : 'info';
    this.#entries.push({ seq: this.#seq, at: Date.now(), level: known, message: brief(message) });
    if (this.#entries.length > MAX_ENTRIES) this.#entries.shift();
  }

  /** Those that came after number `seq`, the oldest first. */
  after(seq: number): readonly LogEntry[] {
    return this.#entries.filter((entry) => entry.seq > seq);
  }
}
