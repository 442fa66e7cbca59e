import type { VersionRecord } from '../contract/model.ts';
import type { Happening } from '../events/outbox.ts';

/** A version was registered; told once more when it has all of its files, then as READY. */
export const registered = ({ model_id, version, status, job_id }: VersionRecord): Happening => ({
  type: 'model.registered',
  subject: model_id,
  data: { model_id, version, status, job_id },
});

/** An alias points elsewhere: `from` is null where it is new, `to` where it is gone. */
export const aliasMoved = (
  modelId: string,
  alias: string,
  { from, to }: { readonly from: string | null; readonly to: string | null },
): Happening => ({
  type: 'model.alias',
  subject: modelId,
  data: { model_id: modelId, alias, from, to },
});
