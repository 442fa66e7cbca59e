import { openRequester, type Requester } from '../edge/brain/contract/requester.ts';
import { discoveryEndpoints } from '../edge/discovery/endpoints.ts';
import {
  createNodeDiscovery,
  type NodeDiscovery,
} from '../edge/discovery/contract/node-discovery.ts';
import type { MessageLine } from '../edge/discovery/contract/message-line.ts';
import type { NodeInfo } from '../edge/discovery/contract/node.ts';
import { joinInfos } from '../edge/discovery/contract/node-views.ts';
import { callEndpoint, type Http } from '../edge/contract/client.ts';

/** Finds the regions in which a brain has nodes. */
type FindRegions = () => Promise<readonly string[]>;

/** Other regions that a PFC routes to: these, the nearest first, or all that are discovered. */
export type Reach = readonly string[] | FindRegions;

interface PfcRegionsOptions {
  readonly nodeId: string;
  readonly namespace: string;
  readonly ownRegion: string;
  /** Opens a line to the broker of a region. */
  readonly connect: (regionId: string) => Promise<MessageLine>;
  readonly reach: Reach;
  readonly nodeLeft: (nodeId: string) => void;
  readonly onError: (error: unknown) => void;
}

/** The connection to a region. `discovery` is undefined if it is unavailable or not permitted. */
interface RegionLink {
  readonly line: MessageLine;
  readonly requester: Requester;
  readonly discovery: NodeDiscovery | undefined;
}

/** How often it is looked for regions in which the brain has nodes by now. */
const FIND_EVERY_MS = 5_000;

/**
 * The regions a PFC routes to. Brokers do not forward to each other, so it has a connection to each: a
 * message crosses at most one border and cannot loop.
 */
export class PfcRegions {
  readonly #options: PfcRegionsOptions;
  readonly #links = new Map<string, RegionLink>();
  readonly #failing = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  private constructor(options: PfcRegionsOptions) {
    this.#options = options;
  }

  /** @throws where its own region, or one that was named, cannot be reached */
  static async open(options: PfcRegionsOptions): Promise<PfcRegions> {
    const { ownRegion, reach } = options;
    const regions = new PfcRegions(options);
    const isFound = typeof reach === 'function';
    for (const regionId of [ownRegion, ...(isFound ? [] : reach)]) await regions.#open(regionId);
    if (isFound) await regions.#find(reach);
    return regions;
  }

  /** The order of preference. Discovered regions have equal preference after the own one. */
  get priority(): readonly string[] {
    const { ownRegion, reach } = this.#options;
    return typeof reach === 'function' ? [ownRegion] : [...this.#links.keys()];
  }

  get own(): RegionLink {
    return this.#linkTo(this.#options.ownRegion);
  }

  /** The way to a region, through its own where that is not known. */
  to(regionId: string): RegionLink {
    return this.#links.get(regionId) ?? this.own;
  }

  /** @throws where nothing is known of any region */
  nodes(): readonly NodeInfo[] {
    const known = [...this.#links.values()].flatMap(({ discovery }) => discovery ?? []);
    if (known.length === 0) throw new Error('discovery is unavailable in every region');
    return joinInfos(known.map((discovery) => discovery.getAllNodes()));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const { line, requester, discovery } of this.#links.values()) {
      discovery?.close();
      requester.close();
      if (line !== this.own.line) await line.end();
    }
  }

  /** Discovers regions periodically; failures are retried. */
  async #find(find: FindRegions): Promise<void> {
    await this.#try('', async () => {
      for (const id of await find()) await this.#try(id, () => this.#open(id));
    });
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#find(find), FIND_EVERY_MS);
  }

  /** A repeated failure is reported once. */
  async #try(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#failing.delete(what);
    } catch (error) {
      if (!this.#failing.has(what)) this.#options.onError(error);
      this.#failing.add(what);
    }
  }

  async #open(regionId: string): Promise<void> {
    if (this.#isClosed || this.#links.has(regionId)) return;
    const { nodeId, namespace, connect, nodeLeft, onError } = this.#options;
    const line = await connect(regionId);
    const requester = await openRequester(line, nodeId);
    const discovery = await createNodeDiscovery(namespace, {
      line,
      regionId,
      onChange: ({ nodeId: changed, to }) => {
        if (to === 'inactive' || to === 'error') nodeLeft(changed);
      },
    }).catch((error: unknown) => {
      onError(error);
      return undefined;
    });
    this.#links.set(regionId, { line, requester, discovery });
  }

  #linkTo(regionId: string): RegionLink {
    const link = this.#links.get(regionId);
    if (link) return link;
    throw new TypeError(`${this.#options.nodeId} has no line to ${regionId}`);
  }
}

/** Queries the gateway for the regions with active nodes. */
export const findRegions =
  (http: Http, namespace: string): FindRegions =>
  async () => {
    const asked = { query: { namespace } };
    const { nodes } = (await callEndpoint(http, discoveryEndpoints.nodeTopology, asked)).body;
    const active = nodes.filter(({ status }) => status === 'active');
    return [...new Set(active.map(({ region_id: id }) => id))];
  };
