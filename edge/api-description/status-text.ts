/** Description of a response by its status, for every operation. */
export const STATUS_TEXT: Readonly<Record<number, string>> = {
  101: 'The WebSocket is open.',
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted; it is worked on.',
  204: 'Done; there is nothing to say.',
  206: 'The range that was asked for.',
  304: 'The copy at hand is current.',
  503: 'It does not work now.',
};
