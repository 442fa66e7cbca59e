import {
  type Lineage,
  type LineageEdge,
  type LineageNode,
  type LineageQuery,
  MAX_LINEAGE_NODES,
} from './contract/lineage.ts';
import type { Registration } from './contract/model.ts';
import { type Parent, specDigestOf } from './machine.ts';

/** A version as its lineage knows it: present, or deleted and remembered for this. */
export interface Ancestry {
  readonly state: 'present' | 'deleted';
  readonly registration: Registration;
  readonly parent: Parent | null;
}

export interface VersionRef {
  readonly modelId: string;
  readonly version: string;
}

/** The source of versions for a lineage. */
export interface LineageSource {
  find(version: VersionRef): Ancestry | undefined;
  /** The versions that name this one as their parent, in a stable order. */
  children(version: VersionRef): readonly VersionRef[];
}

type Walk = Pick<LineageQuery, 'direction' | 'depth'>;

/**
 * The graph around a version, walked breadth first: ancestors of ancestors and descendants of
 * descendants, each version once, so that a cycle (two versions that name each other) ends.
 */
export function lineageOf(root: VersionRef, source: LineageSource, walk: Walk): Lineage {
  const graph = new Graph(source);
  graph.addVersion(root, 0);
  if (walk.direction !== 'down') follow(graph, root, { step: -1, depth: walk.depth });
  if (walk.direction !== 'up') follow(graph, root, { step: 1, depth: walk.depth });
  return {
    model_id: root.modelId,
    version: root.version,
    root: idOf(root),
    depth: walk.depth,
    truncated: graph.truncated,
    nodes: [...graph.nodes.values()],
    edges: [...graph.edges.values()],
  };
}

interface Steps {
  /** -1 towards parents, 1 towards children. */
  readonly step: -1 | 1;
  readonly depth: number;
}

function follow(graph: Graph, root: VersionRef, { step, depth }: Steps): void {
  const seen = new Set([idOf(root)]);
  let layer: readonly Parent[] = [root];
  for (let generation = 1; layer.length > 0; generation++) {
    const next: Parent[] = [];
    for (const version of layer) {
      for (const neighbour of graph.neighbours(version, step)) {
        const isNew = !seen.has(idOf(neighbour));
        if (isNew && (generation > depth || !graph.addVersion(neighbour, step * generation))) {
          graph.truncated = true;
          continue;
        }
        const [child, parent] = step < 0 ? [version, neighbour] : [neighbour, version];
        graph.connect(idOf(child), idOf(parent), 'derived_from');
        if (isNew) next.push(neighbour);
        seen.add(idOf(neighbour));
      }
    }
    layer = next;
  }
}

class Graph {
  readonly nodes = new Map<string, LineageNode>();
  readonly edges = new Map<string, LineageEdge>();
  truncated = false;
  readonly #source: LineageSource;

  constructor(source: LineageSource) {
    this.#source = source;
  }

  neighbours({ modelId, version }: Parent, step: -1 | 1): readonly Parent[] {
    if (version === null) return [];
    if (step > 0) return this.#source.children({ modelId, version });
    const parent = this.#source.find({ modelId, version })?.parent;
    return parent ? [parent] : [];
  }

  /** Adds a version with what it was made from; false where the graph is full. */
  addVersion(parent: Parent, generation: number): boolean {
    if (this.nodes.has(idOf(parent))) return true;
    if (this.nodes.size >= MAX_LINEAGE_NODES) return false;
    const { modelId, version } = parent;
    const found = version === null ? undefined : this.#source.find({ modelId, version });
    this.nodes.set(idOf(parent), {
      ...EMPTY,
      id: idOf(parent),
      kind: 'version',
      label: version === null ? modelId : `${modelId} ${version}`,
      state: found?.state ?? 'unknown',
      model_id: modelId,
      version,
      generation,
    });
    if (found) this.#addSources(idOf(parent), found.registration, generation);
    return true;
  }

  connect(source: string, target: string, relation: LineageEdge['relation']): void {
    const id = `${source} ${relation} ${target}`;
    this.edges.set(id, { id, source, target, relation });
  }

  #addSources(version: string, registration: Registration, generation: number): void {
    const { dataset_digest, tokenizer_digest, model_spec } = registration;
    const model_spec_digest = specDigestOf(registration);
    const jobId = registration.job_id ?? model_spec?.training_job_id ?? null;
    const job = jobId === null ? null : { label: jobId, job_id: jobId };
    const add = (
      kind: LineageNode['kind'],
      relation: LineageEdge['relation'],
      about: Pick<LineageNode, 'label'> & Partial<LineageNode>,
    ) => {
      const id = `${kind}:${about.job_id ?? about.digest}`;
      if (!this.nodes.has(id)) this.nodes.set(id, { ...EMPTY, ...about, id, kind, generation });
      this.connect(version, id, relation);
    };
    if (dataset_digest) add('dataset', 'trained_on', digestNode(dataset_digest));
    if (job) add('job', 'produced_by', job);
    if (model_spec_digest) add('model_spec', 'specified_by', digestNode(model_spec_digest));
    if (tokenizer_digest) add('tokenizer', 'tokenized_by', digestNode(tokenizer_digest));
  }
}

const EMPTY = {
  state: 'present',
  model_id: null,
  version: null,
  digest: null,
  job_id: null,
} as const;

const digestNode = (digest: string) => ({ label: digest.slice(7, 19), digest });

const idOf = ({ modelId, version }: Parent) =>
  version === null ? `version:${modelId}` : `version:${modelId}@${version}`;
