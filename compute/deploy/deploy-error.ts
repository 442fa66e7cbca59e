/** Something whoever deploys can put right. */
export class DeployError extends Error {
  override readonly name = 'DeployError';
}
