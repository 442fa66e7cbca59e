import { describe, expect, it } from 'vitest';
import { NodeTable } from '../../edge/discovery/contract/node-table.ts';
import { DISCOVERY_MIGRATIONS, DiscoveryStore } from '../../edge/discovery/store.ts';
import { openSql } from './sqlite.ts';
import { Watched } from './watched-nodes.ts';

describe('what is stored of a brain', () => {
  it('is its nodes as they are known, until they are forgotten', () => {
    const store = new DiscoveryStore(openSql(DISCOVERY_MIGRATIONS));
    const watched = new Watched();
    watched.announce('a', 'pfc', { model: 'tiny' });
    watched.beat('b', { error: 'no GPU', cpu_percent: 50 });
    const publisher = { owner: 'key:annaannaanna', isEvidence: true };
    for (const id of ['a', 'b']) store.saveNode({ state: watched.table.state(id)!, publisher });

    const kept = store.nodes().map(({ state }) => state);
    const again = new NodeTable({ regionId: 'tokyo', stored: kept });

    expect(again.infos(watched.now)).toEqual(watched.table.infos(watched.now));
    store.removeNode('a');
    expect(store.nodes()).toMatchObject([{ state: { nodeId: 'b' }, publisher }]);
  });

  it('is which part of it this is, and in which regions it has been', () => {
    const store = new DiscoveryStore(openSql(DISCOVERY_MIGRATIONS));
    expect(store.shard()).toBeUndefined();

    store.saveShard({ team: 'vision', namespace: 'brain', region: 'tokyo' });
    for (const region of ['tokyo', 'oregon', 'tokyo']) store.addRegion(region);

    expect(store.shard()).toEqual({ team: 'vision', namespace: 'brain', region: 'tokyo' });
    expect(store.regions()).toEqual(['oregon', 'tokyo']);
  });
});
