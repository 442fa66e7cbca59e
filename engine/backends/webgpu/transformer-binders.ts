import type { TransformerAttributes } from '../../graph/transformer-kernels.ts';
import { type Binder, perElement, perRow } from './dispatch.ts';

export const transformerBinders: { readonly [K in keyof TransformerAttributes]: Binder<K> } = {
  cache_rows: (call, profile) => {
    const { rows, width } = call.attributes;
    return perElement('attention/cache_rows', call, rows * width, profile);
  },
  cached_attention: (call, profile) => {
    const { rows, heads } = call.attributes;
    return perRow('attention/cached_attention', call, rows * heads, profile);
  },
  signed_drive: (call, profile) => {
    const { rows, width } = call.attributes;
    return perElement('neurons/signed_drive', call, rows * width, profile);
  },
};
