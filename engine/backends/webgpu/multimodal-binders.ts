import type { MultimodalAttributes } from '../../graph/multimodal-kernels.ts';
import { type Binder, perElement } from './dispatch.ts';

export const multimodalBinders: { readonly [K in keyof MultimodalAttributes]: Binder<K> } = {
  copy_rows: (call, profile) => {
    const { steps, batch, copiedRows, width } = call.attributes;
    return perElement('memory/copy_rows', call, steps * batch * copiedRows * width, profile);
  },
  dropout: (call, profile) =>
    perElement('random/dropout', call, Math.ceil(call.attributes.count / 4), profile),
};
