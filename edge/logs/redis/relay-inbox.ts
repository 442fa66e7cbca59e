import * as z from 'zod/mini';
import { LogMessage } from '../contract/log-message.ts';
import type { Unnumbered } from '../line.ts';

/** The messages between platforms: log messages, their origin, and its counter. */
const Relayed = z.strictObject({
  origin: z.string(),
  count: z.int(),
  logs: z.array(z.omit(LogMessage, { seq: true })),
});
export type Relayed = z.infer<typeof Relayed>;

/** The maximum number of other platforms remembered. */
const MAX_ORIGINS = 1000;

/** Deduplicates the messages of others, and ignores our own. */
export class RelayInbox {
  readonly #own: string;
  /** The latest counter by origin, the least recently used first. */
  readonly #counts = new Map<string, number>();

  constructor(own: string) {
    this.#own = own;
  }

  /**
   * The log messages of a relayed one; none for our own or duplicates. @throws where it is invalid
   */
  take(text: string): readonly Unnumbered[] {
    const { origin, count, logs } = z.parse(Relayed, JSON.parse(text));
    if (origin === this.#own || count <= (this.#counts.get(origin) ?? 0)) return [];
    this.#counts.delete(origin);
    this.#counts.set(origin, count);
    const [quietest] = this.#counts.keys();
    if (this.#counts.size > MAX_ORIGINS && quietest !== undefined) this.#counts.delete(quietest);
    return logs;
  }
}
