/** Something whoever backs up or restores can put right. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
