import type { NodeState } from './contract/node-machine.ts';
import type { NodeChange } from './contract/node-table.ts';
import type { Happening } from '../events/outbox.ts';
import type { Shard } from './store.ts';

/** A node came, went, or is another way than before; of one that is forgotten only its id is known. */
export const nodeStatus = (
  { nodeId, from, to }: NodeChange,
  state: NodeState | undefined,
  { team, namespace, region }: Shard,
): Happening => ({
  type: 'node.status',
  subject: nodeId,
  time: new Date().toISOString(),
  team,
  data: {
    node_id: nodeId,
    namespace,
    region_id: state?.regionId || region,
    module_type: state?.moduleType ?? null,
    from,
    to,
  },
});
