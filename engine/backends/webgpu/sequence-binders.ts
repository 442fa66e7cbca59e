import type { SequenceAttributes } from '../../graph/sequence-kernels.ts';
import { type Binder, perElement } from './dispatch.ts';

export const sequenceBinders: { readonly [K in keyof SequenceAttributes]: Binder<K> } = {
  copy_rows: (call, profile) => {
    const { steps, batch, copiedRows, width } = call.attributes;
    return perElement('memory/copy_rows', call, steps * batch * copiedRows * width, profile);
  },
};
