import type { Http } from '../../edge/contract/client.ts';
import type { DeviceDescription } from '../../engine/index.ts';
import type { Roots } from '../trainer/job-files.ts';

/** Dependencies of the handlers of a training server. */
export interface Context {
  readonly roots: Roots;
  /** Of the trainer that this server feeds. */
  readonly trainerId: string;
  readonly name: string;
  readonly region: string | null;
  readonly device: DeviceDescription;
  /** The training service behind the gateway, with this server's own key. */
  readonly training: Http;
}
