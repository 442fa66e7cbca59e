import type { Env } from '../env.ts';
import type { Gateway } from './object.ts';
import type { Remote } from '../storage/remote.ts';

type GatewayCalls = Pick<
  Gateway,
  | 'checkedServices'
  | 'hasObject'
  | 'join'
  | 'leave'
  | 'noteObject'
  | 'objects'
  | 'register'
  | 'remove'
  | 'services'
>;

/** One object holds the services of the whole platform. */
export function gatewayOf({ GATEWAY }: Pick<Env, 'GATEWAY'>): Remote<GatewayCalls> {
  return GATEWAY.getByName('main') as unknown as Remote<GatewayCalls>;
}
