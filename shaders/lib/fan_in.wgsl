// fan_in: synapses in signed bytes with fixed links (engine/kernels/synapses.ts).
//
// Link p of neuron 16 b + l comes from (offset_b + l + stride_b p) mod WIDTH, and its weight is byte
// (b FAN_IN + p) 16 + l of its expert. The list of links by source has, for each expert, WIDTH + 1 places
// where those of a neuron begin, and then the bytes of their weights.

import constants::{WIDTH, FAN_IN};

const BLOCK = 16u;
const BLOCKS = (u32(WIDTH) + BLOCK - 1u) / BLOCK;
const EXPERT_BYTES = BLOCKS * u32(FAN_IN) * BLOCK;
const LIST_WORDS = u32(WIDTH) + 1u + u32(WIDTH) * u32(FAN_IN);

// Place of the offset of a neuron's block; the stride follows.
fn links_of(expert: u32, neuron: u32) -> u32 {
  return 2u * (expert * BLOCKS + neuron / BLOCK);
}

// Byte of a neuron's first weight; those of its other links follow 16 bytes apart.
fn first_byte(expert: u32, neuron: u32) -> u32 {
  return expert * EXPERT_BYTES + neuron / BLOCK * FAN_IN * BLOCK + neuron % BLOCK;
}

// The postsynaptic neuron of the link with this byte of its expert.
fn postsynaptic(byte: u32) -> u32 {
  return byte / (FAN_IN * BLOCK) * BLOCK + byte % BLOCK;
}

// The signed byte of a word.
fn signed_byte(word: u32, byte: u32) -> i32 {
  return i32(word << (24u - byte % 4u * 8u)) >> 24u;
}
