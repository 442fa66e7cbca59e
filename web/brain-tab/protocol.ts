import type { NodeType } from '../../brain/node-types.ts';

/** The node that a tab is to be. */
export interface TabNode {
  readonly nodeId: string;
  readonly type: NodeType;
  /** `id`, `id@version` or `id@alias`; empty where the type answers without one. */
  readonly model: string;
  readonly region: string;
}

/** What the page tells the worker that is the node. */
export type ToTabNode =
  | { readonly kind: 'start'; readonly node: TabNode }
  /** Answers what is under way, and goes. */
  | { readonly kind: 'leave' };

/** What that worker tells the page. `left` and `failed` are the last of it. */
export type FromTabNode =
  | { readonly kind: 'joined' }
  | { readonly kind: 'answered'; readonly count: number }
  | { readonly kind: 'left' }
  | { readonly kind: 'failed'; readonly message: string };
