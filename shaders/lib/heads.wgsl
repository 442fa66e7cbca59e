// heads: spikes of query, key and value, which lie side by side in one packed row.
//
// Layout     qkv bits [rows][WORDS] with 3 HEADS HEAD_WIDTH features: queries, keys, values by head.

import constants::{HEADS, HEAD_WIDTH, WORDS};

var<storage, read_write> qkv: array<u32>;

const MODEL_WIDTH = HEADS * HEAD_WIDTH;
const HEAD_WORDS = (HEAD_WIDTH + 31u) / 32u;
const QUERY = 0u;
const KEY = MODEL_WIDTH;
const VALUE = 2u * MODEL_WIDTH;

// Up to 32 spikes of `row` from feature `first` on; those from `count` on are cleared.
fn spikes_at(row: u32, first: u32, count: u32) -> u32 {
  let at = row * WORDS + first / 32u;
  let shift = first % 32u;
  var word = qkv[at] >> shift;
  if (shift + count > 32u) { word |= qkv[at + 1u] << (32u - shift); }
  if (count < 32u) { word &= (1u << count) - 1u; }
  return word;
}

// The spikes that query row `i` and key row `j` have in common in one head.
fn common_spikes(i: u32, j: u32, head: u32) -> u32 {
  var matches = 0u;
  for (var w = 0u; w < HEAD_WORDS; w++) {
    let first = head * HEAD_WIDTH + w * 32u;
    let count = min(32u, HEAD_WIDTH - w * 32u);
    matches += countOneBits(spikes_at(i, QUERY + first, count) & spikes_at(j, KEY + first, count));
  }
  return matches;
}

// Four spikes from feature `first` on as 0.0 or 1.0; those beyond the head's width are 0.
fn spike_quad(row: u32, first: u32, count: u32) -> vec4f {
  let word = spikes_at(row, first, count);
  return vec4f(vec4u(word, word >> 1u, word >> 2u, word >> 3u) & vec4u(1u));
}
