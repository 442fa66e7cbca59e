import { connectedUrl } from './contract/connection.ts';
import {
  DEFAULT_HEALTH,
  type InstanceDefinition,
  type ServiceDefinition,
} from '../gateway/machine.ts';
import { TableStore } from '../storage/table-store.ts';

/** An instance connected to the gateway; times in epoch milliseconds. */
export interface Connected {
  readonly service: string;
  readonly instance: string;
  readonly version: string | null;
  readonly tags: readonly string[];
  readonly connectedAt: number;
  readonly renewedAt: number;
}

export type ConnectedPlace = Pick<Connected, 'service' | 'instance'>;
export type NewConnected = Omit<Connected, 'connectedAt' | 'renewedAt'>;

type Row = Record<
  'service' | 'instance' | 'version' | 'tags' | 'connected_at' | 'renewed_at',
  SqlStorageValue
>;

/** More instances than this indicate a fault in what starts them. */
const MAX_PER_SERVICE = 64;
const MAX_INSTANCES = 1_000;
/** An instance whose connection was lost with its object is forgotten after this. */
const RETAINED_MS = 90_000;

/** The connected instances, renewed every 30 s by the objects that hold the connections. */
export class ConnectedTable extends TableStore {
  put({ service, instance, version, tags }: NewConnected): 'connected' | 'full' {
    const now = Date.now();
    const known = this.all();
    const isKnown = known.some((one) => one.service === service && one.instance === instance);
    const its = known.filter((one) => one.service === service);
    if (!isKnown && (known.length >= MAX_INSTANCES || its.length >= MAX_PER_SERVICE)) return 'full';
    this.run`INSERT INTO connected
      VALUES (${service}, ${instance}, ${version}, ${JSON.stringify(tags)}, ${now}, ${now})
      ON CONFLICT DO UPDATE SET version = excluded.version, tags = excluded.tags,
        renewed_at = excluded.renewed_at`;
    return 'connected';
  }

  remove({ service, instance }: ConnectedPlace): void {
    this.run`DELETE FROM connected WHERE service = ${service} AND instance = ${instance}`;
  }

  removeLost(now: number): void {
    this.run`DELETE FROM connected WHERE renewed_at <= ${now - RETAINED_MS}`;
  }

  /** When the next instance is forgotten unless it is renewed. */
  nextLoss(): number {
    return Math.min(...this.all().map(({ renewedAt }) => renewedAt + RETAINED_MS));
  }

  all(): readonly Connected[] {
    return this.rows<Row>('SELECT * FROM connected ORDER BY service, instance').map((row) => ({
      service: String(row.service),
      instance: String(row.instance),
      version: row.version === null ? null : String(row.version),
      tags: JSON.parse(String(row.tags)),
      connectedAt: Number(row.connected_at),
      renewedAt: Number(row.renewed_at),
    }));
  }
}

export const connectedInstance = ({ service, instance }: ConnectedPlace): InstanceDefinition => ({
  id: instance,
  url: connectedUrl(service, instance),
  weight: 1,
  region_id: null,
});

/** The definition of an unregistered service, from its connected instances. */
export function connectedService(name: string, instances: readonly Connected[]): ServiceDefinition {
  return {
    name,
    version: instances.at(-1)?.version ?? null,
    tags: [...new Set(['connected', ...instances.flatMap(({ tags }) => tags)])],
    meta: {},
    health: DEFAULT_HEALTH,
    ttl_s: null,
    instances: instances.map(connectedInstance),
  };
}
