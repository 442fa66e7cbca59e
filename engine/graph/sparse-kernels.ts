/**
 * Kernels of the sparse family: synapses in signed bytes of fixed fan-in, neurons in int16, routing among
 * experts, a vocabulary of codes, and the local rule by which synapses learn.
 *
 * Rows are tokens, sequence after sequence. A token is an event for each of the `active` experts that read
 * it: event `k * rows + row`, its expert in `experts`; a token that is masked goes to
 * none, named by the number of experts, and leaves no trace. Synapses are explained in ops/sparse-synapses.ts.
 */
export const sparseRoles = {
  sparse_linear_forward: {
    input: 'read',
    weight: 'read',
    topology: 'read',
    experts: 'read',
    output: 'write',
    residual: 'read?',
  },
  sparse_linear_backward: {
    gradient: 'read',
    weight: 'read',
    fanOut: 'read',
    experts: 'read',
    inputGradient: 'update',
    topology: 'read',
  },

  event_scan_forward: {
    drive: 'read',
    weight: 'read',
    topology: 'read',
    experts: 'read',
    slots: 'read',
    state: 'update',
    spikes: 'write',
    current: 'write',
  },
  event_scan_backward: {
    current: 'read',
    weight: 'read',
    fanOut: 'read',
    experts: 'read',
    gradient: 'update',
    topology: 'read',
  },

  event_mix_forward: {
    stream: 'read',
    spikes: 'read',
    gates: 'read',
    output: 'write',
    mask: 'read?',
  },
  event_mix_backward: {
    gradient: 'read',
    spikes: 'read',
    gates: 'read',
    spikeGradient: 'write',
    gateGradient: 'write',
    mask: 'read?',
  },

  route_forward: {
    scores: 'read',
    slots: 'read',
    state: 'update',
    means: 'write',
    experts: 'write',
    gates: 'write',
    mask: 'read?',
  },
  running_mean_forward: {
    input: 'read',
    slots: 'read',
    state: 'update',
    mask: 'read',
    output: 'write',
    rates: 'write',
  },
  running_mean_backward: { gradient: 'read', rates: 'read', inputGradient: 'write' },
  expert_load: { experts: 'read', load: 'write' },
  route_backward: {
    means: 'read',
    experts: 'read',
    load: 'read',
    gateGradient: 'read',
    scoreGradient: 'write',
  },
  expert_mask_forward: { input: 'read', experts: 'read', output: 'write' },
  expert_mask_backward: { gradient: 'read', experts: 'read', inputGradient: 'update' },

  expert_means: { input: 'read', spikes: 'read', experts: 'read', means: 'write' },
  hebbian_update: {
    means: 'read',
    topology: 'read',
    scale: 'read',
    clock: 'read',
    weight: 'update',
  },

  codebook_rows: { ids: 'read', codebook: 'read', output: 'write' },
  draw_candidates: { clock: 'read', ids: 'write' },
  candidate_join_forward: {
    scores: 'read',
    query: 'read',
    codes: 'read',
    targets: 'read',
    candidates: 'read',
    logits: 'write',
  },
  candidate_join_backward: {
    gradient: 'read',
    codes: 'read',
    scoreGradient: 'write',
    queryGradient: 'update',
  },
} as const;

interface Events {
  /** Tokens. */
  readonly rows: number;
  /** Experts that read a token: events are `active * rows`. */
  readonly active: number;
  readonly experts: number;
}

/** Synapses of every expert: `width` neurons with `fanIn` links each. */
interface Synapses extends Events {
  readonly width: number;
  readonly fanIn: number;
}

interface Scan extends Synapses {
  /** Tokens of a sequence. */
  readonly sequence: number;
  /** The integer current of 1; the threshold too. */
  readonly theta: number;
  /** Integer current of a recurrent weight of 1. */
  readonly gain: number;
}

interface Mix extends Omit<Events, 'experts'> {
  readonly width: number;
  /** What spikes that are not dropped are multiplied by. */
  readonly factor: number;
}

interface Route extends Events {
  readonly sequence: number;
}

interface Means {
  readonly rows: number;
  readonly width: number;
  /** Tokens of a sequence. */
  readonly sequence: number;
}

export interface SparseAttributes {
  /** output = scale S input (+ residual), by event. */
  readonly sparse_linear_forward: Synapses & { readonly scale: number };
  readonly sparse_linear_backward: Synapses & {
    readonly scale: number;
    readonly accumulate: boolean;
  };
  readonly event_scan_forward: Scan & {
    /** 256ths of the membrane kept per token. */
    readonly leak: number;
    readonly slotCount: number;
  };
  /** The gradient of the spikes becomes that of the drive; from rest. */
  readonly event_scan_backward: Scan;
  readonly event_mix_forward: Mix;
  readonly event_mix_backward: Mix;
  readonly route_forward: Route & {
    /** Tokens from which on the mean forgets: the rate of token n is 1 / min(n, memory). */
    readonly memory: number;
    readonly slotCount: number;
  };
  readonly running_mean_forward: Means & { readonly slotCount: number };
  readonly running_mean_backward: Means;
  readonly expert_load: Events;
  readonly route_backward: Route & {
    /** Weight of the load-balance term. */
    readonly balance: number;
  };
  readonly expert_mask_forward: Events & {
    /** Features of an expert. */
    readonly rank: number;
  };
  readonly expert_mask_backward: Events & {
    readonly rank: number;
    readonly accumulate: boolean;
  };
  readonly expert_means: Events & { readonly width: number; readonly sequence: number };
  readonly hebbian_update: {
    readonly experts: number;
    readonly width: number;
    readonly fanIn: number;
    /** Which mean is the presynaptic one: 0 that of the input, 1 that of the spikes heard. */
    readonly source: number;
    /** 127 times the learning rate. */
    readonly rate: number;
    /** Tells the draws of these synapses from those of others. */
    readonly stream: number;
  };
  readonly codebook_rows: {
    readonly rows: number;
    readonly vocabulary: number;
    /** Features of a code. */
    readonly rank: number;
    readonly scale: number;
  };
  readonly draw_candidates: {
    readonly count: number;
    readonly vocabulary: number;
    readonly stream: number;
  };
  readonly candidate_join_forward: {
    readonly rows: number;
    /** Candidates that every row is scored against. */
    readonly drawn: number;
    readonly rank: number;
    /** Added to the scores of the candidates. */
    readonly correction: number;
  };
  readonly candidate_join_backward: {
    readonly rows: number;
    /** Candidates that every row is scored against. */
    readonly drawn: number;
    readonly rank: number;
    readonly accumulate: boolean;
  };
}
