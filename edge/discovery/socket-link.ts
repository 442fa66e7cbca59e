import type { Link, PersistedConnection } from './mqtt/ports.ts';
import type { Caller } from '../http/caller.ts';
import { joinChunks } from './contract/mqtt/splitter.ts';

/** Whose a WebSocket is: he was looked at when it was opened, and may be nobody yet. */
export interface SocketOwner {
  readonly caller: Caller;
}

/** What lies beside a WebSocket while its object is out of memory. */
interface Attachment {
  readonly owner: SocketOwner;
  readonly kept: PersistedConnection | undefined;
}

/** Packets that follow each other sooner than this go in one message: each costs the runtime as much. */
const GATHER_MS = 4;

/** A hibernating WebSocket as a connection of the broker. */
export class SocketLink implements Link {
  readonly owner: SocketOwner;
  readonly #socket: WebSocket;
  /** What waits for those that follow it; packets need not begin where a message does (MQTT-6.0.0-2). */
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
      // It was closed from the other side, which the object learns of next.
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

/** What a socket left when its object was taken out of memory. */
export function attachmentOf(socket: WebSocket): Attachment | undefined {
  return (socket.deserializeAttachment() as Attachment | null) ?? undefined;
}
