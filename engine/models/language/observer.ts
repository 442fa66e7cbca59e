/** What one layer did while it read a text: time runs through the steps of each token in turn. */
export interface LayerObservation {
  readonly name: string;
  readonly neurons: number;
  /** Columns of time: tokens times steps. */
  readonly times: number;
  /** Spikes, a packed row of `ceil(neurons / 32)` words per time. */
  readonly spikes: Uint32Array;
  /** `[times][neurons]`: membranes before each reset; of EvoLIF in units of each neuron's threshold. */
  readonly membranes: Float32Array;
  readonly threshold: number;
}

export interface Observer {
  /** Names of the layers, in order. */
  readonly layers: readonly string[];
  /** Tokens that are read at once. */
  readonly sequence: number;
  /** Reads `ids u32[sequence]` and reports one layer. Throws EngineError `invalid-setting` for an unknown layer. */
  observe(ids: Uint32Array, layer: string): Promise<LayerObservation>;
}
