import type { Caller } from '../http/caller.ts';
import type { KeptConnection, Link } from './mqtt/connection.ts';

/** Whose a WebSocket is: he was looked at when it was opened, and may be nobody yet. */
export interface SocketOwner {
  readonly caller: Caller;
}

/** What lies beside a WebSocket while its object is out of memory. */
interface Attachment {
  readonly owner: SocketOwner;
  readonly kept: KeptConnection | undefined;
}

/** A hibernating WebSocket as a connection of the broker. */
export class SocketLink implements Link {
  readonly owner: SocketOwner;
  readonly #socket: WebSocket;

  constructor(socket: WebSocket, owner: SocketOwner) {
    this.#socket = socket;
    this.owner = owner;
  }

  send(bytes: Uint8Array): void {
    try {
      this.#socket.send(bytes);
    } catch {
      // It was closed from the other side, which the object learns of next.
    }
  }

  close(code: number, reason: string): void {
    try {
      this.#socket.close(code, reason);
    } catch {
      // It was closed already.
    }
  }

  keep(kept: KeptConnection | undefined): void {
    const attachment: Attachment = { owner: this.owner, kept };
    this.#socket.serializeAttachment(attachment);
  }
}

/** What a socket left when its object was taken out of memory. */
export function attachmentOf(socket: WebSocket): Attachment | undefined {
  return (socket.deserializeAttachment() as Attachment | null) ?? undefined;
}
