import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { BrainModule } from '../../brain/brain-node.ts';
import {
  answeringWith,
  type BrainNode,
  type NodePlace,
  startBrainNode,
} from '../../brain/brain-node.ts';
import { openMotorModule } from '../../brain/motor-module.ts';
import { NODE_TYPES, type NodeType, READS } from '../../brain/node-types.ts';
import { startPfcNode } from '../../brain/pfc-node.ts';
import { findRegions } from '../../brain/pfc-regions.ts';
import { createRouteLog } from '../../brain/route-log.ts';
import { callEndpoint, openHttp } from '../../edge/contract/client.ts';
import { sessionEndpoints } from '../../edge/access/session-endpoints.ts';
import { BrokerName, DEFAULT_NAMESPACE } from '../../edge/discovery/endpoints.ts';
import { ulid } from '../../edge/http/ulid.ts';
import { EngineError, parseDevice } from '../../engine/index.ts';
import { connectNode } from '../brain/brain-line.ts';
import { openModelModule } from '../brain/model-module.ts';
import { createUsage } from '../brain/brain-line.ts';
import { onStopSignal } from '../process/stop-signals.ts';
import { connectOutside, parseBroker } from '../discovery/outside-broker.ts';
import {
  atGateway,
  brokerOption,
  type GatewayOptions,
  keyHeaders,
  keyOfEnvironment,
} from './gateway-access.ts';
import { openNodeDevice, serviceDevice } from './open-device.ts';

/** How long a node tries to say that it leaves. Where its broker is away, its will says so. */
const LEAVE_MS = 2_000;

interface NodeOptions extends GatewayOptions {
  readonly type: NodeType;
  readonly id?: string;
  readonly model?: string;
  /** An outside broker, in place of the gateway's. */
  readonly broker?: string;
  readonly region: string;
  readonly reach?: readonly string[];
  readonly namespace: string;
  readonly device: string;
}

interface PfcOptions extends NodeOptions {
  /** Whether routes are sent to the gateway's log: on an external broker where a gateway is named. */
  readonly hasLog: boolean;
}

export function nodeCommand(): Command {
  return atGateway(
    new Command('node'),
    'infer, discovery:read, registry:read and logs:write, and geo:node for the node to count in the health of its region',
  )
    .addOption(
      new Option('--type <type>', 'type of the node').choices(NODE_TYPES).makeOptionMandatory(),
    )
    .option(
      '--model <id>',
      'a registered model (id, id@version or id@alias), or a run or checkpoint folder',
    )
    .addOption(brokerOption().conflicts('reach'))
    .option('--region <id>', 'region of the node', name, 'local')
    .option(
      '--reach <ids>',
      'further regions that a pfc routes to, nearest first (default: all)',
      names,
    )
    .option('--namespace <name>', 'namespace of its brain', name, DEFAULT_NAMESPACE)
    .option('--id <id>', 'node id (default: generated)', nodeId)
    .addOption(serviceDevice('cpu, or a device as "train" takes it'))
    .action(runNode);
}

function name(text: string): string {
  if (BrokerName.safeParse(text).success) return text;
  throw new InvalidArgumentError(`got "${text}", expected lower-case letters, digits and hyphens.`);
}

const names = (text: string): readonly string[] => text.split(',').map(name);

function nodeId(text: string): string {
  if (/^[^+#/\s]{1,128}$/.test(text)) return text;
  throw new InvalidArgumentError(
    `got "${text}", expected up to 128 characters without + # / and space.`,
  );
}

async function runNode(options: NodeOptions, command: Command): Promise<void> {
  const gateway = options.gateway.replace(/\/+$/, '');
  const { type, region, namespace } = options;
  const place: NodePlace = {
    nodeId: options.id ?? `${type}-${randomBytes(4).toString('hex')}`,
    moduleType: type,
    regionId: region,
    host: hostname(),
  };
  const { broker } = options;
  const hasLog = broker === undefined || command.getOptionValueSource('gateway') !== 'default';
  const at = { ...options, gateway, hasLog };
  const where = broker === undefined ? `${namespace}/${region}` : parseBroker(broker).url;
  const module = type === 'pfc' ? undefined : await openModule(type, at);
  const node = module ? await startModule(module, place, at) : await startPfc(place, at);
  // Whoever reads that it has joined may ask it to leave.
  const left = leaving(async () => {
    await Promise.race([node.close(), sleep(LEAVE_MS)]);
    await module?.close();
  });
  const what = module ? ` with ${JSON.stringify(module.metadata)}` : '';
  console.log(`${place.nodeId} joined ${where}${what}; Ctrl-C leaves`);
  if (broker === undefined && namespace === DEFAULT_NAMESPACE) void tellEvidence(at);
  await left;
}

/** Waits for a signal, and then for what it makes the node do. */
const leaving = (leave: () => Promise<void>) =>
  new Promise<void>((resolve) => {
    onStopSignal(() => {
      console.error('leaving the brain');
      void leave().finally(resolve);
    });
  });

/** Warns a node of the brain that regions are judged by if its key cannot be evidence of their health. */
async function tellEvidence({ gateway, key }: NodeOptions): Promise<void> {
  const http = openHttp({ base: gateway, headers: keyHeaders(key) });
  const session = await callEndpoint(http, sessionEndpoints.getSession, {}).catch(() => undefined);
  const scopes = session?.body.scopes ?? ['admin'];
  if (scopes.includes('geo:node') || scopes.includes('admin')) return;
  console.error(
    'the key lacks the scope geo:node: the node is found and queried, but does not count in the health of its region.',
  );
}

/** @throws EngineError where a model is missing, Problem where there is none of that name */
async function openModule(
  type: Exclude<NodeType, 'pfc'>,
  options: NodeOptions,
): Promise<BrainModule> {
  const { model, gateway, key } = options;
  const device = parseDevice(options.device);
  if (type === 'motor') return openMotorModule(await openNodeDevice({ device }));
  if (model === undefined) {
    throw new EngineError(
      'invalid-setting',
      `a ${type} node answers with a model: expected --model <id>`,
    );
  }
  const headers = keyHeaders(key);
  return openModelModule({ gateway, headers, reads: READS[type], model, device });
}

async function startModule(
  module: BrainModule,
  place: NodePlace,
  options: NodeOptions,
): Promise<BrainNode> {
  const line = await lineTo(place.regionId, place, options).catch(async (error: unknown) => {
    await module.close();
    throw error;
  });
  const answer = answeringWith(place, module);
  const { metadata } = module;
  return startBrainNode({ place, line, metadata, answer, usage: createUsage('.'), onError: tell });
}

async function startPfc(place: NodePlace, options: PfcOptions): Promise<BrainNode> {
  const { gateway, key, namespace, broker, hasLog } = options;
  const http = openHttp({ base: gateway, headers: keyHeaders(key) });
  // One outside broker is a whole brain, with all of its regions.
  const reach = broker === undefined ? findRegions(http, namespace) : [];
  return startPfcNode({
    place,
    namespace,
    connect: (region) => lineTo(region, place, options),
    reach: options.reach ?? reach,
    usage: createUsage('.'),
    makeId: () => `route_${ulid()}`,
    onError: tell,
    ...(hasLog && { onRoute: createRouteLog(http, once(tell)) }),
  });
}

const lineTo = (region: string, { nodeId: id }: NodePlace, options: NodeOptions) => {
  const { broker, gateway, namespace, key = keyOfEnvironment() } = options;
  if (broker !== undefined) {
    return connectOutside({ url: broker, clientId: id, isNode: true, version: 5 });
  }
  return connectNode(id, { gateway, namespace, region, ...(key && { key: key.trim() }) });
};

const tell = (error: unknown): void => {
  console.error(error instanceof Error ? error.message : String(error));
};

/** An unreachable log is reported once. */
function once(listener: (error: unknown) => void): (error: unknown) => void {
  let isTold = false;
  return (error) => {
    if (!isTold) listener(error);
    isTold = true;
  };
}
