import type { VersionRecord } from './contract/model.ts';
import type { PendingEvent } from '../events/outbox.ts';

/** A version was registered; told once more when it has all of its files, then as READY. */
export const registered = ({
  model_id,
  version,
  status,
  job_id,
  team,
}: VersionRecord): PendingEvent => ({
  type: 'model.registered',
  team,
  subject: model_id,
  data: { model_id, version, status, job_id },
});

interface AliasAddress {
  readonly modelId: string;
  readonly alias: string;
  readonly team: string | undefined;
}

/** An alias points elsewhere: `from` is null where it is new, `to` where it is gone. */
export const aliasMoved = (
  { modelId, alias, team }: AliasAddress,
  { from, to }: { readonly from: string | null; readonly to: string | null },
): PendingEvent => ({
  type: 'model.alias',
  team,
  subject: modelId,
  data: { model_id: modelId, alias, from, to },
});
