/** Something the person who started the launcher can put right: its message is all they are shown. */
export class LaunchError extends Error {
  override readonly name = 'LaunchError';
}
