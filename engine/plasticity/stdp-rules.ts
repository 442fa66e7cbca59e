/* The numbers of the rules, apart from what records them: a page that shows them needs no kernels. */

/** Pairs of spikes (Song, Miller & Abbott 2000). Times in milliseconds, amplitudes in units of the weight. */
export interface PairRule {
  readonly kind: 'pair';
  readonly tauPlus: number;
  readonly tauMinus: number;
  readonly amplitudePlus: number;
  readonly amplitudeMinus: number;
  /** Pair each spike with all before it, or only with the nearest. */
  readonly pairing: 'all' | 'nearest';
}

/** Triplets of spikes, all to all (Pfister & Gerstner 2006). */
export interface TripletRule {
  readonly kind: 'triplet';
  /** Of r1, left by source spikes. */
  readonly tauPlus: number;
  /** Of r2, left by source spikes. */
  readonly tauX: number;
  /** Of o1, left by target spikes. */
  readonly tauMinus: number;
  /** Of o2, left by target spikes. */
  readonly tauY: number;
  readonly pairPlus: number;
  readonly tripletPlus: number;
  readonly pairMinus: number;
  readonly tripletMinus: number;
}

/**
 * Pair STDP with time constants of 20 ms and depression a little stronger than potentiation (Song, Miller &
 * Abbott 2000).
 */
export const pairRule: PairRule = {
  kind: 'pair',
  tauPlus: 20,
  tauMinus: 20,
  amplitudePlus: 0.01,
  amplitudeMinus: 0.0105,
  pairing: 'all',
};

/** Visual cortex, all to all, full model: table 4 of Pfister & Gerstner 2006. */
export const tripletRule: TripletRule = {
  kind: 'triplet',
  tauPlus: 16.8,
  tauX: 101,
  tauMinus: 33.7,
  tauY: 125,
  pairPlus: 5e-10,
  tripletPlus: 6.2e-3,
  pairMinus: 7e-3,
  tripletMinus: 2.3e-4,
};
