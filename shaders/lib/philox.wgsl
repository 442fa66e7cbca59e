// philox: four random words from a counter and a key (Philox 4x32-10; Salmon et al. 2011).
//
// Numerics   integers only, so every backend draws the same words.
// Reference  engine/random/philox.ts

const MULTIPLIER_0 = 0xD2511F53u;
const MULTIPLIER_1 = 0xCD9E8D57u;
const WEYL = vec2u(0x9E3779B9u, 0xBB67AE85u);

fn philox(counter: vec4u, seed: vec2u) -> vec4u {
  var c = counter;
  var key = seed;
  for (var round = 0u; round < 10u; round++) {
    let high = vec2u(high_word(MULTIPLIER_0, c.x), high_word(MULTIPLIER_1, c.z));
    let low = vec2u(MULTIPLIER_0 * c.x, MULTIPLIER_1 * c.z);
    c = vec4u(high.y ^ c.y ^ key.x, low.y, high.x ^ c.w ^ key.y, low.x);
    key += WEYL;
  }
  return c;
}

fn high_word(a: u32, b: u32) -> u32 {
  let low = (a & 0xFFFFu) * (b & 0xFFFFu);
  let cross = (a >> 16u) * (b & 0xFFFFu) + (low >> 16u);
  let middle = (a & 0xFFFFu) * (b >> 16u) + (cross & 0xFFFFu);
  return (a >> 16u) * (b >> 16u) + (cross >> 16u) + (middle >> 16u);
}

// Uniform in [0, 1): the upper 24 bits, which float32 holds exactly.
fn uniform_from(words: vec4u) -> vec4f {
  return vec4f(words >> vec4u(8u)) * 5.9604644775390625e-8;
}
