import type { AttributesOf } from '../graph/kernel.ts';
import { equations } from '../kernel-language/written-kernel.ts';
import { randomWord } from './random.ts';
import { byteWords } from '../graph/tensor.ts';
import { ACCUMULATE, float, int, kernelsOf, SEQUENCES } from './table.ts';

const EVENTS = {
  /** Tokens. */
  rows: 'int',
  /** Experts that read a token: events are `active * rows`. */
  active: 'int',
  experts: 'int',
} as const;

const SYNAPSES = {
  ...EVENTS,
  /** Neurons of an expert. */
  width: 'int',
  /** Links to each neuron. */
  fanIn: 'int',
} as const;

const SCAN = {
  ...SYNAPSES,
  /** Tokens of a sequence. */
  sequence: 'int',
  /** The integer current of 1; the threshold too. */
  theta: 'float',
  /** Integer current of a recurrent weight of 1. */
  gain: 'int',
} as const;

type Scan = AttributesOf<typeof SCAN>;

/** Slopes of a spike with respect to its drive, and to what a recurrent weight of 1 gives. */
const SLOPES = {
  perTheta: float((a: Scan) => 1 / a.theta),
  gainPerTheta: float((a: Scan) => a.gain / a.theta),
} as const;

const MIX = {
  rows: 'int',
  active: 'int',
  width: 'int',
  /** Spikes that are not dropped are multiplied by it. */
  factor: 'float',
} as const;

const ROUTE = { ...EVENTS, sequence: 'int' } as const;

interface Balanced extends AttributesOf<typeof ROUTE> {
  readonly balance: number;
}

const RANK = {
  ...EVENTS,
  /** Features of an expert. */
  rank: 'int',
} as const;

const CANDIDATES = {
  rows: 'int',
  /** Candidates that every row is scored against. */
  drawn: 'int',
  rank: 'int',
} as const;

/** A number of events for each row: the experts that it was sent to. */
const BY_EVENTS = {
  over: { event: 'active', row: 'rows', column: 'width' },
  shapes: {
    stream: 'f32[rows, width]',
    output: 'f32[rows, width]',
    gradient: 'f32[rows, width]',
    spikes: 'bits[active, rows, width]',
    mask: 'bits[active, rows, width]',
    gates: 'f32[active, rows]',
    spikeGradient: 'f32[active, rows, width]',
    gateGradient: 'f32[active, rows]',
  },
} as const;

/**
 * The sparse family: synapses in signed bytes of fixed fan-in (`synapses.ts`), neurons in int16, routing
 * among experts, a vocabulary of codes, and the local rule by which synapses learn.
 *
 * Rows are tokens, sequence after sequence. A token is an event for each of the `active` experts that read
 * it: event `k * rows + row`, its expert in `experts`. A masked token goes to no expert, encoded as the
 * number of experts, and leaves no trace.
 */
export const sparseKernels = kernelsOf('sparse', {
  /** output = scale S input (+ residual), by event. */
  sparse_linear_forward: {
    operands: {
      input: 'read',
      weight: 'read',
      topology: 'read',
      experts: 'read',
      output: 'write',
      residual: 'read?',
    },
    attributes: { ...SYNAPSES, scale: 'float' },
  },
  sparse_linear_backward: {
    operands: {
      gradient: 'read',
      weight: 'read',
      fanOut: 'read',
      experts: 'read',
      inputGradient: 'update',
      topology: 'read',
    },
    attributes: { ...SYNAPSES, scale: 'float', ...ACCUMULATE },
  },

  event_scan_forward: {
    operands: {
      drive: 'read',
      weight: 'read',
      topology: 'read',
      experts: 'read',
      slots: 'read',
      state: 'update',
      spikes: 'write',
      current: 'write',
    },
    attributes: {
      ...SCAN,
      /** 256ths of the membrane kept per token. */
      leak: 'int',
      slotCount: 'int',
    },
  },
  /** The gradient of the spikes becomes that of the drive; from rest. */
  event_scan_backward: {
    operands: {
      current: 'read',
      weight: 'read',
      fanOut: 'read',
      experts: 'read',
      gradient: 'update',
      topology: 'read',
    },
    attributes: SCAN,
    derived: SLOPES,
  },

  event_mix_forward: {
    operands: { stream: 'read', spikes: 'read', gates: 'read', output: 'write', mask: 'read?' },
    attributes: MIX,
    write: equations(({ mask }) => ({
      ...BY_EVENTS,
      scan: 'event',
      equations: `
        state sum = stream
        sum = sum + (spikes ${mask === true ? '&& mask ' : ''}? factor * gates : 0)
        after
        output = sum`,
    })),
  },
  event_mix_backward: {
    operands: {
      gradient: 'read',
      spikes: 'read',
      gates: 'read',
      spikeGradient: 'write',
      gateGradient: 'write',
      mask: 'read?',
    },
    attributes: MIX,
    write: equations(({ mask }) => ({
      ...BY_EVENTS,
      equations: `
        g = ${mask === true ? '(mask ? factor * gradient : 0)' : 'factor * gradient'}
        spikeGradient = g * gates
        gateGradient = rowSum(spikes ? g : 0)`,
    })),
  },

  route_forward: {
    operands: {
      scores: 'read',
      slots: 'read',
      state: 'update',
      means: 'write',
      experts: 'write',
      gates: 'write',
      mask: 'read?',
    },
    attributes: {
      ...ROUTE,
      /** Tokens from which on the mean forgets: the rate of token n is 1 / min(n, memory). */
      memory: 'int',
      slotCount: 'int',
    },
  },
  running_mean_forward: {
    operands: {
      input: 'read',
      slots: 'read',
      state: 'update',
      mask: 'read',
      output: 'write',
      rates: 'write',
    },
    attributes: { ...SEQUENCES, slotCount: 'int' },
  },
  running_mean_backward: {
    operands: { gradient: 'read', rates: 'read', inputGradient: 'write' },
    attributes: SEQUENCES,
    write: equations({
      over: { entry: 'rows / sequence', token: 'sequence', column: 'width' },
      scan: 'token',
      isBackward: true,
      shapes: {
        gradient: 'f32[rows, width]',
        rates: 'f32[rows]',
        inputGradient: 'f32[rows, width]',
      },
      equations: `
        state later = 0
        row = entry * sequence + token
        carried = token + 1 == sequence ? 0 : (1 - rates[row + 1]) * later
        later = gradient[row, column] + carried
        inputGradient[row, column] = rates[row] * later`,
    }),
  },
  expert_load: { operands: { experts: 'read', load: 'write' }, attributes: EVENTS },
  route_backward: {
    operands: {
      means: 'read',
      experts: 'read',
      load: 'read',
      gateGradient: 'read',
      scoreGradient: 'write',
    },
    attributes: {
      ...ROUTE,
      /** Weight of the load-balance term. */
      balance: 'float',
    },
    derived: { balanceFactor: float((a: Balanced) => (a.balance * a.experts) / a.rows) },
  },
  expert_mask_forward: {
    operands: { input: 'read', experts: 'read', output: 'write' },
    attributes: RANK,
  },
  expert_mask_backward: {
    operands: { gradient: 'read', experts: 'read', inputGradient: 'update' },
    attributes: { ...RANK, ...ACCUMULATE },
  },

  expert_means: {
    operands: { input: 'read', spikes: 'read', experts: 'read', means: 'write' },
    attributes: { ...EVENTS, width: 'int', sequence: 'int' },
  },
  hebbian_update: {
    operands: {
      means: 'read',
      topology: 'read',
      scale: 'read',
      clock: 'read',
      weight: 'update',
    },
    attributes: {
      experts: 'int',
      width: 'int',
      fanIn: 'int',
      /** The presynaptic mean: 0 that of the input, 1 that of the spikes. */
      source: 'int',
      /** 127 times the learning rate. */
      rate: 'float',
      /** Separates the draws of these synapses from those of others. */
      stream: 'int',
    },
  },

  codebook_rows: {
    operands: { ids: 'read', codebook: 'read', output: 'write' },
    attributes: {
      rows: 'int',
      vocabulary: 'int',
      /** Features of a code. */
      rank: 'int',
      scale: 'float',
    },
    derived: { byteWords: int((a: { readonly rank: number }) => byteWords(a.rank)) },
  },
  draw_candidates: {
    operands: { clock: 'read', ids: 'write' },
    attributes: { count: 'int', vocabulary: 'int', stream: 'int' },
    write: equations({
      over: { place: 'count' },
      shapes: { clock: 'u32[4]', ids: 'u32[count]' },
      equations: `ids = mulHigh(${randomWord('place')}, u32(vocabulary))`,
    }),
  },
  candidate_join_forward: {
    operands: {
      scores: 'read',
      query: 'read',
      codes: 'read',
      targets: 'read',
      candidates: 'read',
      logits: 'write',
    },
    attributes: {
      ...CANDIDATES,
      /** Added to the scores of the candidates. */
      correction: 'float',
    },
  },
  candidate_join_backward: {
    operands: { gradient: 'read', codes: 'read', scoreGradient: 'write', queryGradient: 'update' },
    attributes: { ...CANDIDATES, ...ACCUMULATE },
  },
});
