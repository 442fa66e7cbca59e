import * as z from 'zod/mini';

/** The team of keys that name none, of this machine, and of what was made before there were teams. */
export const DEFAULT_TEAM = 'default';

/** A team: every key, and every resource created with it, belongs to one. */
export const Team = z
  .string()
  .check(
    z.regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'expected 1 to 63 of a-z, 0-9 and - inside'),
  );
export type Team = z.infer<typeof Team>;

/** Members of every document of something that belongs to somebody. */
export const ownedMembers = {
  /** The key, token or person that may change it, as `created_by` names them. */
  owner: z.string(),
  team: Team,
};

/**
 * How much one owner, and one team together, may have at a time. Whoever holds `admin` is bound by the
 * limits of the platform alone. `QUOTAS` of a deployment replaces single numbers.
 */
export const QUOTAS = {
  /** Parts of brains in regions that had a client within a day; each is a broker of its own. */
  brokers: { owner: 16, team: 64 },
  /** MQTT sessions of one broker, connected or stored for reconnection. */
  mqtt_sessions: { owner: 1000, team: 5000 },
  /** Of one broker. */
  retained_messages: { owner: 1000, team: 5000 },
  /** WebSockets and event streams that are open. */
  sockets: { owner: 20, team: 200 },
  /** Jobs that have not ended. */
  jobs: { owner: 100, team: 500 },
  datasets: { owner: 500, team: 2000 },
  /** Of data sets, checkpoints, and parts that were sent for them and not cleared away. */
  dataset_bytes: { owner: 50e9, team: 200e9 },
  models: { owner: 1000, team: 5000 },
  /** Of the files of versions, and of uploads under way. */
  model_bytes: { owner: 100e9, team: 500e9 },
  memories: { owner: 200_000, team: 1_000_000 },
  sensors: { owner: 500, team: 2000 },
  trainers: { owner: 64, team: 256 },
} as const;
export type QuotaName = keyof typeof QUOTAS;

const Bound = z.int().check(z.minimum(0));

const Limits = z.strictObject({ owner: z.optional(Bound), team: z.optional(Bound) });
const QUOTA_NAMES = Object.keys(QUOTAS) as QuotaName[];

/** The setting `QUOTAS`, such as `{"jobs": {"owner": 10}}`. */
export const QuotaSettings = z.partialRecord(z.enum(QUOTA_NAMES), Limits);
