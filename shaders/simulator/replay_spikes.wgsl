// replay_spikes: the spikes that were given for this step.
//
//   spikes[word[e]] = fired[e] for the entries e of step t, 0 elsewhere; none from step STEPS on
//
// Layout     stepStart [STEPS + 1]; word, fired [entries], no word twice in a step; spikes bits [COUNT].
// Dispatch   one invocation per word of spikes; each looks through the entries of the step.
// Numerics   exact.
// Reference  engine/backends/reference/simulator-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, COUNT, STEPS};

const WORDS = (COUNT + 31u) / 32u;

var<storage, read_write> clock: array<u32>;
var<storage, read_write> step_start: array<u32>;
var<storage, read_write> word: array<u32>;
var<storage, read_write> fired: array<u32>;
var<storage, read_write> spikes: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn replay_spikes(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let place = element(id, groups);
  if (place >= WORDS) { return; }
  var packed = 0u;
  if (clock[0] < STEPS) {
    for (var e = step_start[clock[0]]; e < step_start[clock[0] + 1u]; e++) {
      if (word[e] == place) { packed = fired[e]; }
    }
  }
  spikes[place] = packed;
}
