/** Numbers to spikes and back, and the ear in front of them. */
export const encoderRoles = {
  latency_encode: { intensity: 'read', bounds: 'read', spikes: 'write' },
  latency_decode: { spikes: 'read', values: 'read', output: 'write' },
  delta_encode: { signal: 'read', spikes: 'write' },
  delta_decode: { spikes: 'read', output: 'write' },
  tas_encode: { signal: 'read', spikes: 'write' },
  tas_decode: { spikes: 'read', output: 'write' },
  rate_decode: { spikes: 'read', output: 'write' },
  gammatone_envelope: { waveform: 'read', poles: 'read', envelope: 'write' },
} as const;

interface Steps {
  readonly steps: number;
  readonly rows: number;
  /** Numbers of a row. */
  readonly width: number;
}

/** How the threshold of an integrate-and-fire time-encoding machine adapts. */
interface Adaptation {
  /** What a spike adds to the threshold. */
  readonly alpha: number;
  /** Share of what is above 1 that a step without a spike keeps. */
  readonly rho: number;
}

export interface EncoderAttributes {
  /** A spike in step t where `bounds[t + 1] < x <= bounds[t]`. */
  readonly latency_encode: Steps;
  /** `values[t]` of the first step with a spike; zero where there is none. */
  readonly latency_decode: Steps;
  /** `level`: changes are counted from what was sent instead of from the sample before. */
  readonly delta_encode: Steps & { readonly threshold: number; readonly level: boolean };
  readonly delta_decode: Steps & { readonly threshold: number };
  readonly tas_encode: Steps & Adaptation & { readonly signalSteps: number };
  readonly tas_decode: Steps & Adaptation;
  readonly rate_decode: Steps;
  /** `gain mean(|z|)^exponent` over `hop` samples at a time. */
  readonly gammatone_envelope: {
    readonly rows: number;
    readonly samples: number;
    readonly channels: number;
    readonly hop: number;
    readonly gain: number;
    readonly exponent: number;
  };
}
