import {
  BasePlugin,
  metadata,
  type MetadataInput,
  type PluginContext,
  type PluginValues,
} from '../../../engine/index.ts';

type Call = 'initialize' | 'activate' | 'execute' | 'deactivate' | 'dispose';

/** A plugin that records its calls and behaves as the test says. */
export class ProbePlugin extends BasePlugin {
  readonly calls: Call[] = [];
  /** Thrown by the calls that it names. */
  readonly throwing = new Set<Call>();
  answer: (inputs: PluginValues, context: PluginContext) => unknown = () => ({});
  readonly #given: MetadataInput;

  constructor(given: Partial<MetadataInput> = {}) {
    super();
    this.#given = {
      name: 'Probe',
      type: 'MONITORING',
      version: '1.0.0',
      description: 'For tests.',
      ...given,
    };
  }

  getMetadata() {
    return metadata(this.#given);
  }

  get current(): PluginContext {
    return this.context;
  }

  override initialize(context: PluginContext): void {
    void super.initialize(context);
    this.#note('initialize');
  }

  override activate(): void {
    this.#note('activate');
  }

  override deactivate(): void {
    this.#note('deactivate');
  }

  override dispose(): void {
    this.#note('dispose');
  }

  async execute(inputs: PluginValues): Promise<PluginValues> {
    this.#note('execute');
    return (await this.answer(inputs, this.context)) as PluginValues;
  }

  #note(call: Call): void {
    this.calls.push(call);
    if (this.throwing.has(call)) throw new Error(`${call} went wrong`);
  }
}
