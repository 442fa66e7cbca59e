import {
  answeringWith,
  type BrainModule,
  type BrainNode,
  startBrainNode,
} from '../../brain/brain-node.ts';
import { openMotorModule } from '../../brain/motor-module.ts';
import { hasModel, READS } from '../../brain/node-types.ts';
import { startPfcNode } from '../../brain/pfc-node.ts';
import { findRegions } from '../../brain/pfc-regions.ts';
import { createRouteLog } from '../../brain/route-log.ts';
import type { Answering } from '../../edge/brain/contract/responder.ts';
import { DEFAULT_NAMESPACE } from '../../edge/discovery/endpoints.ts';
import { brokerUrl, nodeOptions } from '../../edge/discovery/contract/node-connection.ts';
import { connectLine } from '../../edge/discovery/contract/mqtt/socket-line.ts';
import { randomId } from '../../edge/contract/random-id.ts';
import { createRegistryClient } from '../../edge/registry/contract/client.ts';
import { openBackend } from '../../engine/index.ts';
import { wasmThreads } from '../api/device.ts';
import { serviceHttp } from '../api/service-http.ts';
import { browserName } from '../trainer-tab/tab-facts.ts';
import type { FromTabNode, TabNode, ToTabNode } from './protocol.ts';
import { openTabModel } from './tab-model.ts';

/**
 * A node of the brain with its engine. In a worker: browsers throttle the timers of hidden
 * pages, and a node whose heartbeat is late counts as gone. It connects with the session of the
 * page. When the tab closes, so does its WebSocket, and the broker publishes the node's will.
 */
let running: Promise<BrainNode> | undefined;

const post = (message: FromTabNode) => self.postMessage(message, { transfer: [] });

self.addEventListener('message', ({ data }: MessageEvent<ToTabNode>) => {
  if (data.kind === 'start') {
    running ??= start(data.node);
    running.then(() => post({ kind: 'joined' }), fail);
  } else {
    running?.then((node) => node.close()).then(() => post({ kind: 'left' }), fail);
  }
});

function fail(error: unknown): void {
  post({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
}

const start = (node: TabNode): Promise<BrainNode> =>
  node.type === 'pfc' ? startPfc(node) : startModule(node);

const placeOf = ({ nodeId, type, region }: TabNode) => ({
  nodeId,
  moduleType: type,
  regionId: region,
  host: browserName(navigator.userAgent),
});

/** The connection recovers on its own and the screen shows active nodes, so errors are not reported. */
const onError = () => {};

const connectTo = (nodeId: string) => (region: string) =>
  connectLine(brokerUrl({ gateway: self.location.origin, region }), nodeOptions(nodeId));

function startPfc(node: TabNode): Promise<BrainNode> {
  const http = serviceHttp('');
  const reportRoute = createRouteLog(http, onError);
  let count = 0;
  return startPfcNode({
    place: placeOf(node),
    namespace: DEFAULT_NAMESPACE,
    connect: connectTo(node.nodeId),
    reach: findRegions(http, DEFAULT_NAMESPACE),
    makeId: () => `route_${randomId()}`,
    onRoute: (route) => {
      post({ kind: 'answered', count: ++count });
      reportRoute(route);
    },
    onError,
  });
}

async function startModule(node: TabNode): Promise<BrainNode> {
  const module = await openModule(node);
  try {
    const place = placeOf(node);
    const line = await connectTo(node.nodeId)(node.region);
    const answer = counted(answeringWith(place, module));
    const started = await startBrainNode({
      place,
      line,
      answer,
      onError,
      metadata: module.metadata,
    });
    return {
      async close() {
        await started.close();
        await module.close();
      },
    };
  } catch (error) {
    await module.close();
    throw error;
  }
}

async function openModule({ type, model }: TabNode): Promise<BrainModule> {
  const backend = await openBackend('auto', { gpu: navigator.gpu, threads: wasmThreads() });
  if (!hasModel(type)) return openMotorModule(backend);
  const registry = createRegistryClient(serviceHttp('/registry'));
  return openTabModel({ registry, backend, model, reads: READS[type] }).catch((error: unknown) => {
    backend.close();
    throw error;
  });
}

function counted(answer: Answering): Answering {
  let count = 0;
  return async (prompt) => {
    const reply = await answer(prompt);
    post({ kind: 'answered', count: ++count });
    return reply;
  };
}
