import type { StoredFamily } from '../../families/stored-family.ts';
import { keptForPrivacy } from '../../train/privacy/kept-for-privacy.ts';
import { spikingConvParameters } from '../spiking-conv/parameters.ts';
import { checkStructure as checkConv } from '../spiking-conv/structure.ts';
import { spikingMlpParameters } from '../spiking-mlp/parameters.ts';
import { checkStructure as checkMlp } from '../spiking-mlp/structure.ts';
import { VisionSpec, visionStructureFromSpec } from './spec.ts';

export const storedVision: StoredFamily<typeof VisionSpec> = {
  spec: VisionSpec,
  parameters(spec) {
    const { variant, network } = visionStructureFromSpec(spec);
    if (variant === 'conv') {
      checkConv(network);
      return spikingConvParameters(network);
    }
    checkMlp(network);
    return spikingMlpParameters(network);
  },
  form: ({ core }) => core,
  keptForTraining: ({ core }) => keptForPrivacy(core.privacy_level),
};
