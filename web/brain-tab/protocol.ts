import type { NodeType } from '../../brain/node-types.ts';

/** The configuration of a tab's node. */
export interface TabNode {
  readonly nodeId: string;
  readonly type: NodeType;
  /** `id`, `id@version` or `id@alias`; empty for a type without a model. */
  readonly model: string;
  readonly region: string;
}

/** Messages from the page to the node worker. */
export type ToTabNode =
  | { readonly kind: 'start'; readonly node: TabNode }
  /** Finishes current requests, then leaves. */
  | { readonly kind: 'leave' };

/** Messages from the node worker to the page. `left` and `failed` are final. */
export type FromTabNode =
  | { readonly kind: 'joined' }
  | { readonly kind: 'answered'; readonly count: number }
  | { readonly kind: 'left' }
  | { readonly kind: 'failed'; readonly message: string };
