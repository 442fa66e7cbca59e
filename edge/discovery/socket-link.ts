import type { Link, PersistedConnection } from './mqtt/ports.ts';
import type { Caller } from '../http/caller.ts';
import { joinChunks } from './contract/mqtt/splitter.ts';

/** The caller who opened a WebSocket, possibly anonymous. */
export interface SocketOwner {
  readonly caller: Caller;
}

/** The attachment of a WebSocket while its object is evicted. */
interface Attachment {
  readonly owner: SocketOwner;
  readonly kept: PersistedConnection | undefined;
}

/** Packets within this time are sent in one message, as each message costs the runtime as much. */
const GATHER_MS = 4;

/** A hibernating WebSocket as a connection of the broker. */
export class SocketLink implements Link {
  readonly owner: SocketOwner;
  readonly #socket: WebSocket;
  /** Packets to be sent together; packets need not align with messages (MQTT-6.0.0-2). */
  #gathered: Uint8Array[] = [];
  #sentAt = 0;

  constructor(socket: WebSocket, owner: SocketOwner) {
    this.#socket = socket;
    this.owner = owner;
  }

  send(bytes: Uint8Array): void {
    if (this.#gathered.length > 0) {
      this.#gathered.push(bytes);
      return;
    }
    const sinceMs = Date.now() - this.#sentAt;
    if (sinceMs >= GATHER_MS) {
      this.#write(bytes);
      return;
    }
    this.#gathered.push(bytes);
    setTimeout(() => this.#flush(), GATHER_MS - sinceMs);
  }

  #flush(): void {
    const gathered = this.#gathered;
    this.#gathered = [];
    if (gathered.length > 0) this.#write(joinChunks(gathered));
  }

  #write(bytes: Uint8Array): void {
    this.#sentAt = Date.now();
    try {
      this.#socket.send(bytes);
    } catch {
      // The other side has closed it, which the object learns of next.
    }
  }

  close(code: number, reason: string): void {
    this.#flush();
    try {
      this.#socket.close(code, reason);
    } catch {
      // It was closed already.
    }
  }

  keep(kept: PersistedConnection | undefined): void {
    const attachment: Attachment = { owner: this.owner, kept };
    this.#socket.serializeAttachment(attachment);
  }
}

/** The attachment of a socket from before an eviction. */
export function attachmentOf(socket: WebSocket): Attachment | undefined {
  return (socket.deserializeAttachment() as Attachment | null) ?? undefined;
}
