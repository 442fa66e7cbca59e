/** A WebSocket to a service, with the one to its caller that everything is handed on between. */
export interface JoinedSockets {
  /** The end that is given to the caller. */
  readonly client: WebSocket;
  /** Ends both. */
  readonly close: (code: number, reason: string) => void;
  /** Resolves once the caller's has ended, in whatever way. */
  readonly closed: Promise<void>;
}

/** RFC 6455, section 7.4.1: the other side closed without a code. */
const NO_CODE = 1005;
/** Codes that nobody may send; 1006 says that a connection broke. */
const NOT_FOR_SENDING = [1004, 1006, 1015];
/** What a side is told whose other side broke off, or closed with no proper code. */
const BROKE_OFF = 1011;

/**
 * Hands on what a service and its caller say, closing included. The runtime does not tell how much
 * a slow reader leaves waiting, so that much memory it costs: who may send without end has to wait
 * for the other side's acknowledgements.
 */
export function joinSockets(service: WebSocket): JoinedSockets {
  const { 0: client, 1: caller } = new WebSocketPair();
  handOn(service, caller);
  handOn(caller, service);
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  caller.addEventListener('close', () => resolve());
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

function handOn(from: WebSocket, to: WebSocket): void {
  from.addEventListener('message', ({ data }) => {
    if (to.readyState === WebSocket.OPEN) to.send(data);
  });
  from.addEventListener('close', ({ code, reason }) => end(to, code, reason));
}

/** Nothing happens where it has been closed already. */
function end(socket: WebSocket, code: number, reason: string): void {
  if (code === NO_CODE) socket.close();
  else if (isForSending(code)) socket.close(code, reason);
  else socket.close(BROKE_OFF, 'the other side broke off');
}

const isForSending = (code: number): boolean =>
  code >= 1000 && code < 5000 && !NOT_FOR_SENDING.includes(code);
