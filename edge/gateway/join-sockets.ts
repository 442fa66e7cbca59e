/** A WebSocket to a service, with the one to its caller that everything is handed on between. */
export interface JoinedSockets {
  /** The end that is given to the caller. */
  readonly client: WebSocket;
  /** Ends both. */
  readonly close: (code: number, reason: string) => void;
  /** Resolves once both have ended, in whatever way. */
  readonly closed: Promise<unknown>;
}

/** RFC 6455, section 7.4.1: what a side is told whose other side broke off, and so gave no code. */
const BROKE_OFF = 1011;
/** Codes that say how a connection ended; no side may send them. */
const NO_CODE = 1005;
const BROKEN = 1006;

/**
 * Hands on what a service and its caller say, closing included. The runtime does not tell how much
 * a slow reader leaves waiting, so that much memory it costs: who may send without end has to wait
 * for the other side's acknowledgements.
 */
export function joinSockets(service: WebSocket): JoinedSockets {
  const { 0: client, 1: caller } = new WebSocketPair();
  const closed = Promise.all([handOn(service, caller), handOn(caller, service)]);
  for (const socket of [service, caller]) {
    socket.binaryType = 'arraybuffer';
    // Each side says itself that it closes, and is answered by the other one.
    socket.accept({ allowHalfOpen: true });
  }
  const close = (code: number, reason: string) => {
    for (const socket of [service, caller]) end(socket, code, reason);
  };
  return { client, close, closed };
}

/** Resolves once `from` has ended. */
function handOn(from: WebSocket, to: WebSocket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  from.addEventListener('message', ({ data }) => {
    if (to.readyState === WebSocket.OPEN) to.send(data);
  });
  from.addEventListener('close', ({ code, reason }) => {
    end(to, code, reason);
    resolve();
  });
  return promise;
}

/** Nothing happens where it has been closed already. */
function end(socket: WebSocket, code: number, reason: string): void {
  if (code === NO_CODE) socket.close();
  else if (code === BROKEN) socket.close(BROKE_OFF, 'the other side broke off');
  else socket.close(code, reason);
}
