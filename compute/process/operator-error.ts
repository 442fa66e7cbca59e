/** A problem that the person at the command can fix: its message is all they are shown. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
