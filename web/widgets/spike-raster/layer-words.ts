import type { Text } from '../../i18n/text.ts';

const PARTS = ['in1', 'qkv', 'attention', 'in2', 'up'] as const;
const NAME = /^blocks\.(\d+)\.(\w+)$/;

/** A layer's name in plain words: `blocks.0.qkv` is "Block 1: queries, keys and values". */
export function layerWords({ t }: Text, layer: string): string {
  const [, block, part] = NAME.exec(layer) ?? [];
  const known = PARTS.find((name) => name === part);
  return known ? t(`layer.${known}`, { block: Number(block) + 1 }) : layer;
}
