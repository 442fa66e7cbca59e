import type { Configuration, LogLevel, PluginArray, PluginValues } from '../../engine/index.ts';

/** Requests of the platform to a plugin. */
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

export type ToPlugin =
  | { readonly kind: 'task'; readonly id: number; readonly task: Task }
  | { readonly kind: 'answer'; readonly id: number; readonly result: Result };

export type FromPlugin =
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

/** Description of a layer by itself. */
export interface LayerFacts {
  readonly layer: number;
  readonly numNeurons: number;
  readonly tau: number;
  readonly threshold: number;
}
