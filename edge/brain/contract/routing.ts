import type { NodeInfo } from '../../discovery/contract/node.ts';
import { weightOf } from '../../discovery/contract/node-views.ts';
import { promptTopic, TEXT_PROMPT } from '../../discovery/contract/topics.ts';
import type { Considered } from './reply.ts';

/** The fallback module, for prompts that no other can take. */
export const LANG_MAIN = 'lang-main';

/** The base types of compound names, by their first word. */
const BASE_TYPES: ReadonlyMap<string, string> = new Map([
  ['lang', LANG_MAIN],
  ['visual', 'visual'],
  ['vision', 'visual'],
  ['audio', 'audio'],
  ['auditory', 'audio'],
  ['motor', 'motor'],
  ['pfc', 'pfc'],
]);

/** Rule 2: a compound name reduced to its base type, such as `lang-embed-3` to `lang-main`. */
export function baseTypeOf(moduleName: string): string {
  const [first = ''] = moduleName.split('-', 1);
  return BASE_TYPES.get(first) ?? moduleName.replace(/-\d+$/, '');
}

/** The nodes known to discovery; undefined where it is unavailable or the query failed. */
export type KnownNodes = readonly NodeInfo[] | undefined;

/** Rule 3: only active nodes count. */
export function activeNodes(nodes: KnownNodes, baseType: string): readonly NodeInfo[] {
  return (nodes ?? []).filter(
    ({ status, module_type: type }) => status === 'active' && baseTypeOf(type) === baseType,
  );
}

/** Whether a module can take prompts: by rules 3 and 5, but lang-main always can (rule 4). */
export function isAvailable(nodes: KnownNodes, moduleName: string): boolean {
  const baseType = baseTypeOf(moduleName);
  return baseType === LANG_MAIN || activeNodes(nodes, baseType).length > 0;
}

export interface RoutingOptions {
  /** Rule 7: regions in order of preference. The first with a candidate narrows the choice. */
  readonly regionPriority?: readonly string[];
  /** Nodes already tried. */
  readonly tried?: ReadonlySet<string>;
  /** A node's requests in flight; by default as its heartbeat says. */
  readonly loadOf?: (node: NodeInfo) => number;
  /** A node's recent failures and departures. */
  readonly faultsOf?: (node: NodeInfo) => number;
}

/** The destination of a prompt, with the reason. */
export interface RouteChoice {
  readonly baseType: string;
  readonly topic: string;
  /** Undefined where any subscriber of the topic takes it. */
  readonly node: NodeInfo | undefined;
  /** The region of the broker to publish at; undefined where it is unknown. */
  readonly regionId: string | undefined;
  readonly fallback: boolean;
  readonly reason: string;
  readonly considered: readonly Considered[];
}

/** Rules 1 to 7: the least loaded active node of the target, else lang-main as a fallback. */
export function chooseRoute(
  nodes: KnownNodes,
  moduleName: string,
  options: RoutingOptions = {},
): RouteChoice {
  const baseType = baseTypeOf(moduleName);
  const ranked = rank(activeNodes(nodes, baseType), options);
  const [best] = ranked.open;
  if (best) {
    return {
      baseType,
      topic: promptTopic(best.node.node_id),
      node: best.node,
      regionId: best.node.region_id,
      fallback: false,
      reason: reasonOf(best.node, baseType, ranked),
      considered: consideredOf(ranked, best.node),
    };
  }
  const [language] = rank(activeNodes(nodes, LANG_MAIN), options).open;
  return {
    baseType,
    topic: TEXT_PROMPT,
    node: undefined,
    regionId: language?.node.region_id ?? options.regionPriority?.[0],
    fallback: baseType !== LANG_MAIN,
    reason: `${whyNobody(nodes, baseType, ranked)}: it goes to ${TEXT_PROMPT}`,
    considered: consideredOf(ranked, undefined),
  };
}

interface Rated {
  readonly node: NodeInfo;
  readonly weight: number;
  readonly load: number;
}

interface Ranked {
  /** The best first. */
  readonly open: readonly Rated[];
  readonly excluded: readonly (Rated & { readonly why: string })[];
  /** The region that the choice was narrowed to. */
  readonly region: string | undefined;
}

function rank(
  nodes: readonly NodeInfo[],
  { regionPriority = [], tried = new Set(), ...options }: RoutingOptions,
): Ranked {
  const rated = nodes.map((node) => rate(node, options)).toSorted(better);
  const untried = rated.filter(({ node }) => !tried.has(node.node_id));
  const region = regionPriority.find((one) => untried.some(({ node }) => node.region_id === one));
  const isOpen = ({ node }: Rated) => region === undefined || node.region_id === region;
  const whyNot = ({ node }: Rated): string | undefined => {
    if (tried.has(node.node_id)) return 'it was tried already';
    return node.region_id === region || region === undefined ? undefined : `${region} is preferred`;
  };
  return {
    open: untried.filter(isOpen),
    excluded: rated.flatMap((one) => {
      const why = whyNot(one);
      return why === undefined ? [] : [{ ...one, why }];
    }),
    region,
  };
}

/** Each request in flight takes its fraction of a node, and each recent fault halves it. */
function rate(
  node: NodeInfo,
  { loadOf = reportedLoad, faultsOf = () => 0 }: RoutingOptions,
): Rated {
  const load = loadOf(node);
  return { node, load, weight: weightOf(node) / (1 + load) / 2 ** faultsOf(node) };
}

/** Ties are broken by id, so that the same knowledge gives the same route. */
const better = (a: Rated, b: Rated): number =>
  b.weight - a.weight || (a.node.node_id < b.node.node_id ? -1 : 1);

/** A node's requests in flight, by its heartbeat. */
export function reportedLoad({ metadata }: NodeInfo): number {
  const { queue_depth: depth, active_task: isBusy } = metadata;
  if (typeof depth === 'number' && Number.isFinite(depth) && depth >= 0) return depth;
  return isBusy === true ? 1 : 0;
}

function reasonOf({ node_id: id }: NodeInfo, baseType: string, ranked: Ranked): string {
  const where = ranked.region === undefined ? '' : ` in ${ranked.region}`;
  if (ranked.open.length === 1) return `${id} is the only ${baseType} node to take it${where}`;
  return `${id} is the least loaded of ${ranked.open.length} active ${baseType} nodes${where}`;
}

function whyNobody(nodes: KnownNodes, baseType: string, { excluded }: Ranked): string {
  if (!nodes) return 'discovery is unavailable';
  if (excluded.length > 0) return `no other ${baseType} node is active`;
  return `no ${baseType} node is active`;
}

function consideredOf({ open, excluded }: Ranked, chosen: NodeInfo | undefined): Considered[] {
  return [
    ...open.map((one) => considered(one, one.node === chosen ? null : 'another is less loaded')),
    ...excluded.map((one) => considered(one, one.why)),
  ];
}

const considered = ({ node, weight, load }: Rated, excluded: string | null): Considered => ({
  node_id: node.node_id,
  region_id: node.region_id,
  weight: Math.round(weight * 1000) / 1000,
  load,
  excluded,
});
