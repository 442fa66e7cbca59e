import type { ServiceOrigin, ServiceStatus } from '../contract/service.ts';
import type { InstanceDefinition, ServiceDefinition } from './registration.ts';

/** An instance with what the probes found of it. Times are epoch milliseconds. */
export interface InstanceState extends InstanceDefinition {
  readonly status: ServiceStatus;
  readonly lastCheckAt: number | null;
  readonly lastError: string | null;
}

/** A service outside of this Worker, as the Gateway object tells it. */
export interface ServiceState extends Omit<ServiceDefinition, 'instances'> {
  readonly origin: Exclude<ServiceOrigin, 'built-in'>;
  readonly instances: readonly InstanceState[];
  /** Names the registration; null where there is none. */
  readonly etag: string | null;
  readonly registeredAt: number;
  readonly updatedAt: number;
  readonly expiresAt: number | null;
}
