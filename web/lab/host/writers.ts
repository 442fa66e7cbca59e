import type { RegistryClient } from '../../../edge/registry/contract/client.ts';
import {
  type Backend,
  type LanguageModel,
  openLanguageModel,
  type StoredModel,
  type TextGenerator,
} from '../../../engine/index.ts';
import type { Writer } from '../protocol.ts';
import { downloadModel } from './registered.ts';

/** A model made ready on a device. */
interface Opened {
  readonly key: unknown;
  readonly backend: Backend;
  readonly model: LanguageModel;
}

/**
 * Stored models made ready to write. The last one of the registry is kept as it was downloaded, and
 * the last one used as it lies on the device: writing again starts at once.
 */
export function createWriters(registry: RegistryClient) {
  let downloaded: { readonly key: string; readonly stored: StoredModel } | undefined;
  let opened: Opened | undefined;

  /** @param key what tells one model from another */
  async function open(key: unknown, stored: StoredModel, backend: Backend): Promise<TextGenerator> {
    if (opened && opened.key === key && opened.backend === backend) return opened.model;
    opened?.model.close();
    opened = undefined;
    opened = { key, backend, model: await openLanguageModel(backend, stored) };
    return opened.model;
  }

  return {
    open,
    /** Throws ProblemError, or EngineError for a model that is not ours or damaged. */
    async openRegistered(
      { modelId, version }: Extract<Writer, { kind: 'registered' }>,
      backend: Backend,
    ): Promise<TextGenerator> {
      const key = `${modelId}@${version}`;
      if (downloaded?.key !== key) {
        downloaded = { key, stored: await downloadModel(registry, modelId, version) };
      }
      return open(key, downloaded.stored, backend);
    },
  };
}

export type Writers = ReturnType<typeof createWriters>;
