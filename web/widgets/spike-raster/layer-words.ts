import type { Text } from '../../i18n/text.ts';

/** Parts of a block; a block of one layer has the last. */
const PARTS = ['in1', 'qkv', 'attention', 'in2', 'up', 'neurons'] as const;
const NAME = /^blocks\.(\d+)(?:\.(\w+))?$/;
/** Layers that stand for themselves. */
const SINGLE = ['hidden', 'image.in', 'audio.in'] as const;

/** A layer's name in plain words: `blocks.0.qkv` is "Block 1: queries, keys and values". */
export function layerWords({ t }: Text, layer: string): string {
  const single = SINGLE.find((name) => name === layer);
  if (single) return t(`layer.${single}`);
  const [, block, part = 'neurons'] = NAME.exec(layer) ?? [];
  const known = PARTS.find((name) => name === part);
  return block !== undefined && known ? t(`layer.${known}`, { block: Number(block) + 1 }) : layer;
}
