/** The part of a WebSocket that closing it takes. */
type ClosingSocket = Pick<WebSocket, 'readyState' | 'close' | 'addEventListener'>;

/**
 * Closes a socket that nobody waits for any more: one that still connects as soon as it is open. Browsers
 * complain in the console of one that is closed before, as if something had failed.
 */
export function closeSocket(socket: ClosingSocket, code?: number): void {
  const close = () => socket.close(code);
  if (socket.readyState === WebSocket.CONNECTING) socket.addEventListener('open', close);
  else close();
}
