import type { BrainModule } from '../../brain/brain-node.ts';
import { choiceOf, mediaFrom, requestOf, textRequestOf } from '../../brain/model-request.ts';
import type { Reads } from '../../brain/node-types.ts';
import type { BrainPrompt } from '../../edge/brain/contract/prompt.ts';
import { type InferRequest, rankedClasses } from '../../edge/inference/contract/infer.ts';
import { Problem } from '../../edge/contract/refusal.ts';
import type { RegistryClient } from '../../edge/registry/contract/client.ts';
import {
  type Backend,
  isClassSpec,
  labelsOf,
  openBatchedModel,
  openClassModel,
  type StoredModel,
  textModelOf,
  unpackModel,
  Writing,
} from '../../engine/index.ts';
import { downloadFiles } from '../lab/host/registered.ts';

interface TabModelOptions {
  readonly registry: RegistryClient;
  /** Closed with the module. */
  readonly backend: Backend;
  /** `id`, `id@version` or `id@alias`. */
  readonly model: string;
  readonly reads: Reads;
}

/** Serves requests with exclusive use of the backend. */
interface Answerer {
  /** @throws Problem for invalid input and after a timeout */
  answer(request: InferRequest): Promise<{ text: string } | { classes: Classes }>;
  close(): void;
}
type Classes = ReturnType<typeof rankedClasses>;

/**
 * A module that serves a model of the registry on a device of this tab, one prompt at a time.
 *
 * @throws ProblemError where there is no such model, EngineError where its format is unknown
 */
export async function openTabModel(options: TabModelOptions): Promise<BrainModule> {
  const { registry, backend, model, reads } = options;
  const choice = choiceOf(model);
  const { modelId, ...version } = choice;
  const record = await registry.getModel({ params: { id: modelId }, ...version });
  const key = `${record.model_id}@${record.version}`;
  const stored = unpackModel(await downloadFiles(registry, modelId, record.version));
  const answerer = await openAnswerer(backend, stored, key);
  let turn: Promise<unknown> = Promise.resolve();

  async function answer(prompt: BrainPrompt) {
    const began = performance.now();
    const request = requestOf(prompt, { choice, reads });
    const answered = turn.then(() => {
      const leftMs = prompt.timeout_ms - (performance.now() - began);
      return answerer.answer({ ...request, timeout_ms: Math.max(0, leftMs) });
    });
    turn = answered.catch(() => {});
    return {
      outputs: await answered,
      model: {
        model_id: record.model_id,
        model_version: record.version,
        model_digest: record.manifest_digest ?? '',
      },
    };
  }

  return {
    metadata: { model: key, device: backend.device.label, reads },
    answer,
    async close() {
      await turn;
      answerer.close();
      backend.close();
    },
  };
}

const openAnswerer = (backend: Backend, stored: StoredModel, key: string): Promise<Answerer> =>
  isClassSpec(stored.spec) ? openClasses(backend, stored, key) : openText(backend, stored, key);

async function openClasses(backend: Backend, stored: StoredModel, key: string): Promise<Answerer> {
  const { spec } = stored;
  if (!isClassSpec(spec)) throw new TypeError(`${key} tells no classes apart`);
  const labels = labelsOf(spec);
  const model = await openClassModel(backend, stored);
  return {
    async answer({ inputs }) {
      const { probabilities } = await model.answer(mediaFrom(inputs, spec, key));
      return { classes: rankedClasses(probabilities, labels) };
    },
    close: () => model.close(),
  };
}

async function openText(backend: Backend, stored: StoredModel, key: string): Promise<Answerer> {
  const { tokenizer } = textModelOf(stored);
  const model = await openBatchedModel(backend, stored, { slots: 1 });

  async function write(request: InferRequest): Promise<string> {
    const { config, timeout_ms: timeoutMs } = request;
    const read = textRequestOf(request, { spec: stored.spec, tokenizer, key });
    const { temperature, top_k: topK, top_p: topP, max_length: most } = config;
    const seed = config.seed ?? crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
    const writing = new Writing(
      {
        ...read,
        most,
        sampling: { temperature, topK, topP, seed },
        isStreamed: false,
        hasRaster: false,
      },
      tokenizer,
    );
    const until = performance.now() + timeoutMs;
    model.clear(0);
    if (read.prefix) await model.prime?.(0, read.prefix);
    while (writing.reason === undefined) {
      if (performance.now() > until) {
        throw new Problem('upstream_timeout', `${key} took longer than ${timeoutMs} ms.`);
      }
      const { needsLogits } = writing;
      const logits = await model.read([{ slot: 0, token: writing.next }]);
      writing.advance(needsLogits ? logits : undefined);
    }
    return writing.take().text;
  }

  return {
    answer: async (request) => ({ text: await write(request) }),
    close: () => model.close(),
  };
}
