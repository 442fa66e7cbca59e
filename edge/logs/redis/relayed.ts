import * as z from 'zod/mini';
import { LogMessage } from '../contract/log-message.ts';
import type { Unnumbered } from '../line.ts';

/** What platforms tell each other: messages, who published them, and that one's count of tellings. */
const Relayed = z.strictObject({
  origin: z.string(),
  count: z.int(),
  logs: z.array(z.omit(LogMessage, { seq: true })),
});
export type Relayed = z.infer<typeof Relayed>;

/** As many other platforms are remembered. */
const MOST_ORIGINS = 1000;

/** Takes what others tell, once, and nothing that comes back from ourselves. */
export class RelayInbox {
  readonly #own: string;
  /** The latest count by origin, the quietest first. */
  readonly #counts = new Map<string, number>();

  constructor(own: string) {
    this.#own = own;
  }

  /** The messages of a telling; none where they are our own or came before. @throws where it is no telling */
  take(text: string): readonly Unnumbered[] {
    const { origin, count, logs } = z.parse(Relayed, JSON.parse(text));
    if (origin === this.#own || count <= (this.#counts.get(origin) ?? 0)) return [];
    this.#counts.delete(origin);
    this.#counts.set(origin, count);
    const [quietest] = this.#counts.keys();
    if (this.#counts.size > MOST_ORIGINS && quietest !== undefined) this.#counts.delete(quietest);
    return logs;
  }
}
