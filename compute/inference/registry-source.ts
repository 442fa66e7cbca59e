import type { Http } from '../../edge/contract/client.ts';
import type { ModelDetails } from '../../edge/registry/contract/model.ts';
import { ProblemError } from '../../edge/contract/problem-error.ts';
import { createRegistryClient, type RegistryClient } from '../../edge/registry/contract/client.ts';
import type { InputSpec } from '../../edge/inference/contract/request-inputs.ts';
import { buildProblem } from '../../edge/http/infer-response.ts';
import { Problem } from '../../edge/http/problem.ts';
import { decodeJson, MANIFEST, MODEL_FILES, parseModelSpec } from '../../engine/index.ts';

/** Which version of a model is meant: this one, the one of an alias, or the default one. */
export interface ModelChoice {
  readonly modelId: string;
  readonly version?: string | undefined;
  readonly alias?: string | undefined;
  /** The only team whose models may be meant; all where it is left out. */
  readonly team?: string | undefined;
}

/** Identity of a model while it is loaded. */
export type ModelRecord = Pick<
  ModelDetails,
  'model_id' | 'version' | 'total_size_bytes' | 'manifest_digest' | 'team'
>;

/** Where models come from. */
export interface ModelSource {
  /** @throws Problem model_not_found, alias_not_found, upstream_error or upstream_timeout */
  find(choice: ModelChoice): Promise<ModelRecord>;
  /**
   * The files that a model which `find` gave is built from, in memory that threads can share.
   *
   * @throws Problem as `find`, and digest_mismatch
   */
  fetch(record: ModelRecord): Promise<ReadonlyMap<string, Uint8Array>>;
}

/** The registry knows more of its models. */
export interface RegistrySource extends ModelSource {
  find(choice: ModelChoice): Promise<ModelDetails>;
  fetch(record: ModelDetails): Promise<ReadonlyMap<string, Uint8Array>>;
  /** The model_spec. @throws Problem as `fetch` */
  spec(record: ModelDetails): Promise<ServedSpec>;
}

/** Of a model_spec, what tells the tensors of its model. */
export interface ServedSpec extends InputSpec {
  /** Classes of a model of images, or of sounds. */
  readonly output_dim?: number;
  readonly output_neurons?: number;
}

/** Types of models that read no text and have no tokenizer. */
const WITHOUT_TEXT: readonly string[] = ['Vision', 'Audio'];

/** How long an alias or a default version may point elsewhere unnoticed. */
const KEPT_MS = 3_000;
const FIND_TIMEOUT_MS = 10_000;
const FETCH_TIMEOUT_MS = 300_000;
/** More choices than this, and the oldest is asked for again. */
const MAX_KEPT = 1_000;

interface Found {
  readonly record: Promise<ModelDetails>;
  readonly until: number;
}

/** Models of the registry. What an alias meant last stays valid while the registry is away. */
export function createRegistrySource(registry: Http, now: () => number = Date.now): RegistrySource {
  const client = createRegistryClient(registry);
  /** By the digest of what cannot change. */
  const specs = new Map<string, ServedSpec>();

  const keepOrAsk = createFinder(client, now);

  const fileOf = (record: ModelDetails, filename: string) => {
    const { model_id: modelId, version } = record;
    return client
      .download({ modelId, version, filename }, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) })
      .catch((error: unknown) => {
        throw sourceProblem(error, `${filename} of ${modelId} ${version}`);
      });
  };

  return {
    async spec(record) {
      const { model_id: modelId, version, manifest_digest: digest } = record;
      const key = `${modelId} ${version} ${digest}`;
      const known = specs.get(key);
      if (known) return known;
      const spec = readSpec(`${modelId} ${version}`, await fileOf(record, 'model_spec.json'));
      const [oldest] = specs.keys();
      if (specs.size >= MAX_KEPT && oldest !== undefined) specs.delete(oldest);
      specs.set(key, spec);
      return spec;
    },
    async find(choice) {
      const { modelId, version, team } = choice;
      // For a model that is not the caller's, not even its aliases are distinguished.
      if (team !== undefined && choice.alias !== undefined) {
        requireTeam(await keepOrAsk({ modelId }), choice);
      }
      const record = await keepOrAsk({ modelId, version, alias: choice.alias });
      requireTeam(record, choice);
      return record;
    },
    async fetch(record) {
      const hasTokenizer = !WITHOUT_TEXT.includes(record.model_type);
      const needed = [...MODEL_FILES, MANIFEST].filter(
        (name) => hasTokenizer || name !== 'tokenizer.json',
      );
      const files = needed.map(
        async (filename) => [filename, inSharedMemory(await fileOf(record, filename))] as const,
      );
      return new Map(await Promise.all(files));
    },
  };
}

/** Asks what a choice means, once in a while. @throws Problem model_not_found, alias_not_found, upstream_error or upstream_timeout */
function createFinder(client: RegistryClient, now: () => number) {
  const kept = new Map<string, Found>();

  async function ask({ modelId, version, alias }: ModelChoice): Promise<ModelDetails> {
    const signal = AbortSignal.timeout(FIND_TIMEOUT_MS);
    return client
      .getModel({ params: { id: modelId }, query: { version, alias }, signal })
      .catch((error: unknown) => {
        throw sourceProblem(error, `model ${modelId}`);
      });
  }

  return (choice: ModelChoice): Promise<ModelDetails> => {
    const key = JSON.stringify([choice.modelId, choice.version, choice.alias]);
    const known = kept.get(key);
    if (known && known.until > now()) return known.record;
    const record = ask(choice).catch((error: unknown) => {
      if (known && isAway(error)) return known.record;
      kept.delete(key);
      throw error;
    });
    kept.delete(key);
    kept.set(key, { record, until: now() + KEPT_MS });
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    return record;
  };
}

/** The service asks with a key of its own: whose a model is, it looks at itself. */
function requireTeam(record: ModelDetails, { modelId, version, team }: ModelChoice): void {
  if (team === undefined || record.team === team) return;
  // As the registry says it of what is not there.
  const what =
    version === undefined ? `model ${modelId}` : `version ${version} of a model ${modelId}`;
  throw new Problem('model_not_found', `There is no ${what}.`);
}

function readSpec(what: string, bytes: Uint8Array): ServedSpec {
  try {
    return parseModelSpec(decodeJson('model_spec.json', bytes));
  } catch (error) {
    throw buildProblem(error, what);
  }
}

/** A copy that threads can share. */
export function inSharedMemory(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.byteLength));
  copy.set(bytes);
  return copy;
}

const isAway = (error: unknown): boolean =>
  error instanceof Problem && ['upstream_error', 'upstream_timeout'].includes(error.code);

const HANDED_ON = ['model_not_found', 'alias_not_found', 'digest_mismatch'] as const;

/** The registry's refusal as the caller of the inference service sees it. */
function sourceProblem(error: unknown, what: string): Problem {
  if (!(error instanceof ProblemError)) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    return isLate
      ? new Problem('upstream_timeout', `The registry did not answer in time about ${what}.`)
      : new Problem('upstream_error', `The registry cannot be reached for ${what}.`);
  }
  const { code, detail } = error.problem;
  const known = HANDED_ON.find((one) => one === code);
  if (known) return new Problem(known, detail);
  // A version whose files are not all there is no model yet.
  if (code === 'file_not_found') return new Problem('model_not_found', detail);
  return new Problem('upstream_error', `The registry refused ${what}: ${error.message}.`);
}
