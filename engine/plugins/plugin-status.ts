/**
 * Where a plugin is in its life. `reason` says why it is not active where that was not asked for.
 *
 *   LOADED --initialized--> INITIALIZED --activated--> ACTIVE --deactivated--> INACTIVE
 *     INITIALIZED, INACTIVE and ERROR --initialized--> INITIALIZED     (with a configuration, or anew)
 *     INACTIVE --activated--> ACTIVE
 *     every status --failed--> ERROR                                   (it threw, hung or lied)
 */
export const PluginStatus = {
  LOADED: 'LOADED',
  INITIALIZED: 'INITIALIZED',
  ACTIVE: 'ACTIVE',
  INACTIVE: 'INACTIVE',
  ERROR: 'ERROR',
} as const;
export type PluginStatus = (typeof PluginStatus)[keyof typeof PluginStatus];

export const PLUGIN_STATUSES: readonly PluginStatus[] = Object.values(PluginStatus);

export interface LifeState {
  readonly status: PluginStatus;
  /** Empty where nothing is wrong. */
  readonly reason: string;
}

export type LifeEvent =
  | { readonly type: 'initialized' }
  | { readonly type: 'activated' }
  | { readonly type: 'deactivated'; readonly reason?: string }
  | { readonly type: 'failed'; readonly reason: string };

type LifeTransition =
  | { readonly ok: true; readonly state: LifeState }
  | { readonly ok: false; readonly reason: string };

export const loaded: LifeState = { status: 'LOADED', reason: '' };

/** Source statuses and target of each event except a failure. */
const STEPS = {
  initialized: { from: ['LOADED', 'INITIALIZED', 'INACTIVE', 'ERROR'], to: 'INITIALIZED' },
  activated: { from: ['INITIALIZED', 'INACTIVE'], to: 'ACTIVE' },
  deactivated: { from: ['ACTIVE'], to: 'INACTIVE' },
} as const satisfies Record<
  Exclude<LifeEvent['type'], 'failed'>,
  { readonly from: readonly PluginStatus[]; readonly to: PluginStatus }
>;

/** Pure: the manager carries out the transition. */
export function transition({ status }: LifeState, event: LifeEvent): LifeTransition {
  if (event.type === 'failed') {
    return { ok: true, state: { status: 'ERROR', reason: event.reason } };
  }
  const { from, to } = STEPS[event.type];
  if (!from.some((allowed) => allowed === status)) {
    return { ok: false, reason: `it is ${status}, expected ${from.join(', ')}` };
  }
  const reason = event.type === 'deactivated' ? (event.reason ?? '') : '';
  return { ok: true, state: { status: to, reason } };
}
