// kuramoto: groups of phases e = e^{i phi} and their mean z.

import constants::{WIDTH, GROUPS};

// Phases of a group, which are neighbours.
const SIZE = u32(WIDTH) / u32(GROUPS);
// Keeps the direction of a mean of length 0 from being 0 / 0.
const SOFTENING = 1e-12;

// Im(z conj e): how far the mean is ahead.
fn across(z: vec2f, e: vec2f) -> f32 {
  return z.y * e.x - z.x * e.y;
}
