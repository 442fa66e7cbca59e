import { createRegistryClient } from '../../edge/registry/contract/client.ts';

/** One more than a page of the list shows. */
export const MODEL_COUNT = 21;

/** A model with several versions, files and everything that can be registered. */
export const RICH = {
  id: 'digits',
  name: 'Spoken digits',
  versions: ['1.1.0', '1.0.0', '1.0.0-rc.1'],
  file: 'config.json',
  bytes: new TextEncoder().encode('{"d_model":32}'),
} as const;

/** Registers models through the gateway, as a trainer would. */
export async function registerModels(gateway: string): Promise<void> {
  const registry = createRegistryClient({ base: `${gateway}/registry` });
  for (let index = 1; index < MODEL_COUNT; index++) {
    await registry.register({
      model_id: `letters-${String(index).padStart(2, '0')}`,
      name: `Letters ${index}`,
      version: '0.1.0',
      model_type: index % 2 === 0 ? 'text' : 'vision',
      framework: 'spikegrid',
    });
  }
  for (const version of RICH.versions.toReversed()) {
    await registry.register({
      model_id: RICH.id,
      name: RICH.name,
      version,
      model_type: 'audio',
      framework: 'spikegrid',
      description: 'Tells ten spoken digits apart.',
      architecture: 'dense_chronospike',
      tags: { dataset: 'fsdd', stage: 'trial' },
      model_spec: {
        model_spec_version: 1,
        model_family: 'SpikingEvoTextLM',
        architecture: 'dense_chronospike',
      },
    });
    const upload = { modelId: RICH.id, version };
    await registry.upload({ ...upload, filename: RICH.file, body: RICH.bytes });
    await registry.upload({
      ...upload,
      filename: 'model.safetensors',
      body: new Uint8Array(2_048),
    });
  }
}
