import { BasePlugin, type PluginContext } from '../base-plugin.ts';

interface Closable {
  close(): void;
}

/** A plugin that opens something on the device for a shape, and keeps it for the next call of that shape. */
export abstract class DevicePlugin<T extends Closable> extends BasePlugin {
  #kept: { readonly key: string; readonly opened: T } | undefined;

  override async initialize(context: PluginContext): Promise<void> {
    this.#close();
    await super.initialize(context);
  }

  override deactivate(): void {
    this.#close();
  }

  override dispose(): void {
    this.#close();
  }

  /** What was opened for this key, else what is opened now; calls to a plugin do not overlap. */
  protected async opened(key: string, open: () => Promise<T>): Promise<T> {
    if (this.#kept?.key === key) return this.#kept.opened;
    this.#close();
    const opened = await open();
    this.#kept = { key, opened };
    return opened;
  }

  #close(): void {
    this.#kept?.opened.close();
    this.#kept = undefined;
  }
}
