// grid: which element an invocation works on, with the dispatch spread over x and y.
//
// A dimension of a dispatch is limited to 65,535 workgroups, so long arrays continue on y.

import constants::WORKGROUP;

fn element(id: vec3u, groups: vec3u) -> u32 {
  return id.y * groups.x * WORKGROUP + id.x;
}
