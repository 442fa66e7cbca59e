import type { StoredFamily } from '../../families/stored-family.ts';
import { keptForPrivacy } from '../../train/privacy/kept-for-privacy.ts';
import { spikingAudioParameters } from './parameters.ts';
import { AudioSpec, audioStructureFromSpec } from './spec.ts';
import { checkStructure } from './structure.ts';

export const storedAudio: StoredFamily<typeof AudioSpec> = {
  spec: AudioSpec,
  parameters(spec) {
    const structure = audioStructureFromSpec(spec);
    checkStructure(structure);
    return spikingAudioParameters(structure);
  },
  form: ({ core }) => core,
  keptForTraining: ({ core }) => keptForPrivacy(core.privacy_level),
};
