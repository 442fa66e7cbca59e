import type { Configuration, LogLevel, PluginArray, PluginValues } from '../../engine/index.ts';
import type { PluginPermission } from '../../edge/contract/plugins/plugin.ts';

/** What a thread is started with. */
export interface ThreadData {
  /** Of the plugin's folder, with a slash at the end. Nothing is read from there: `files` is all. */
  readonly folderUrl: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly entry: string;
  readonly permissions: readonly PluginPermission[];
  /** What a plugin imports as `spikegrid`. */
  readonly apiUrl: string;
  /** Below these lies code of the platform, which imports what it likes. */
  readonly trusted: readonly string[];
}

/** What the platform has a plugin do. */
export type Task =
  | { readonly method: 'initialize'; readonly configuration: Configuration }
  | { readonly method: 'activate' | 'deactivate' }
  | { readonly method: 'execute'; readonly inputs: PluginValues }
  | {
      readonly method: 'createLayer';
      readonly numNeurons: number;
      readonly tau: number;
      readonly threshold: number | undefined;
    }
  | { readonly method: 'runLayer'; readonly layer: number; readonly current: PluginArray }
  | { readonly method: 'resetLayer' | 'closeLayer'; readonly layer: number };

export type Result =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: string | undefined; readonly message: string };

export type ToThread =
  | { readonly kind: 'task'; readonly id: number; readonly task: Task }
  | { readonly kind: 'answer'; readonly id: number; readonly result: Result };

export type FromThread =
  | { readonly kind: 'ready'; readonly metadata: unknown }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'result'; readonly id: number; readonly result: Result }
  | { readonly kind: 'log'; readonly level: LogLevel; readonly message: string }
  | { readonly kind: 'fail'; readonly reason: string }
  /** Executes a plugin that this one depends on. */
  | {
      readonly kind: 'ask';
      readonly id: number;
      readonly dependency: string;
      readonly inputs: PluginValues;
    };

/** What a layer in a thread says about itself. */
export interface LayerFacts {
  readonly layer: number;
  readonly numNeurons: number;
  readonly tau: number;
  readonly threshold: number;
}
