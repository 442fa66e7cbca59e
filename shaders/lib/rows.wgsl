// rows: spreads a row over the LANES of a workgroup and adds or compares their values.
//
//   SINGLE     one invocation walks a whole row; a workgroup holds WORKGROUP rows (software adapters)
//   SUBGROUPS  the workgroup is one subgroup and sums in registers
//   otherwise  a tree in workgroup memory
//
// Every invocation of a workgroup must call row_sum and row_max together.

import constants::{WORKGROUP, LANES};

@if(!SINGLE && !SUBGROUPS) var<workgroup> tree: array<f32, LANES>;

@if(SINGLE)
fn row_of(group: vec3u, groups: vec3u, local: u32) -> u32 {
  return (group.y * groups.x + group.x) * WORKGROUP + local;
}

@if(!SINGLE)
fn row_of(group: vec3u, groups: vec3u, local: u32) -> u32 {
  return group.y * groups.x + group.x;
}

@if(SINGLE) fn lane_of(local: u32) -> u32 { return 0u; }

@if(!SINGLE) fn lane_of(local: u32) -> u32 { return local; }

@if(SINGLE) fn row_sum(value: f32, lane: u32) -> f32 { return value; }

@if(SINGLE) fn row_max(value: f32, lane: u32) -> f32 { return value; }

@if(SUBGROUPS) fn row_sum(value: f32, lane: u32) -> f32 { return subgroupAdd(value); }

@if(SUBGROUPS) fn row_max(value: f32, lane: u32) -> f32 { return subgroupMax(value); }

@if(!SINGLE && !SUBGROUPS)
fn row_sum(value: f32, lane: u32) -> f32 {
  tree[lane] = value;
  for (var half = u32(LANES) / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) { tree[lane] += tree[lane + half]; }
  }
  workgroupBarrier();
  let total = tree[0];
  workgroupBarrier();
  return total;
}

@if(!SINGLE && !SUBGROUPS)
fn row_max(value: f32, lane: u32) -> f32 {
  tree[lane] = value;
  for (var half = u32(LANES) / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) { tree[lane] = max(tree[lane], tree[lane + half]); }
  }
  workgroupBarrier();
  let largest = tree[0];
  workgroupBarrier();
  return largest;
}
