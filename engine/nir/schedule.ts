import { EngineError } from '../errors.ts';
import type { FlatGraph, FlatNode } from './flat-graph.ts';
import type { NirEdge } from './graph.ts';

/** In which order a time step goes through the nodes, and which signals it takes from the step before. */
export interface Schedule {
  readonly order: readonly string[];
  /** Edges that close a loop: they carry what their source gave in the step before. */
  readonly late: ReadonlySet<NirEdge>;
}

/** Nodes with a membrane. */
const NEURONS = new Set(['I', 'IF', 'LI', 'LIF', 'CubaLI', 'CubaLIF']);

/**
 * Orders the nodes. A Delay within a loop takes its inputs from the step before, as its own delay is
 * shortened by that step; loops that remain are closed by the edge that leads back, walking from the
 * Inputs along the edges in the order of the file. Throws EngineError `invalid-structure` naming the
 * nodes of a loop without a state.
 */
export function scheduleOf({ nodes, edges }: FlatGraph, dt: number): Schedule {
  // By name: HDF5 does not keep the order in which nodes were written.
  const names = [...nodes.keys()].toSorted();
  const hasState = (name: string) => stateOf(nodes.get(name), dt);
  const stateless = edges.filter((edge) => !edge.some(hasState));
  const algebraic = walk(names, stateless);
  if (algebraic.loop) {
    throw new EngineError(
      'invalid-structure',
      `NIR: the loop ${algebraic.loop.join(' > ')} has no neuron and no Delay of a step or more: expected one with a state`,
    );
  }
  const isInLoop = (edge: NirEdge) => reaches(edges, edge[1], edge[0]);
  const delays = edges.filter(([, target]) => isDelay(nodes.get(target)) && hasState(target));
  const looped = new Set(delays.filter(isInLoop).map(([, target]) => target));
  // All that a Delay is given comes from the same step.
  const late = new Set(delays.filter(([, target]) => looped.has(target)));
  const starts = names.filter((name) => nodes.get(name)?.node.type === 'Input');
  const walked = walk(
    [...starts, ...names],
    edges.filter((edge) => !late.has(edge)),
  );
  for (const edge of walked.closing) late.add(edge);
  return { order: walked.order, late };
}

/** Whether a loop through this node is a recurrent network; without any such node it is an equation. */
function stateOf(found: FlatNode | undefined, dt: number): boolean {
  if (found?.node.type !== 'Delay') return NEURONS.has(found?.node.type ?? '');
  return found.node.delay.data.every((delay) => Math.round(delay / dt) >= 1);
}

function isDelay(found: FlatNode | undefined): boolean {
  return found?.node.type === 'Delay';
}

interface Walked {
  /** Sources before targets, but for the closing edges. */
  readonly order: readonly string[];
  readonly closing: readonly NirEdge[];
  /** The nodes of the first loop that was met. */
  readonly loop: readonly string[] | undefined;
}

/** Depth first, without recursion: files may hold chains of any length. */
function walk(starts: readonly string[], edges: readonly NirEdge[]): Walked {
  const leaving = Map.groupBy(edges, ([source]) => source);
  const state = new Map<string, 'open' | 'done'>();
  const finished: string[] = [];
  const closing: NirEdge[] = [];
  let loop: readonly string[] | undefined;
  for (const start of starts) {
    if (state.has(start)) continue;
    const path = [{ name: start, next: 0 }];
    state.set(start, 'open');
    for (let at = path.at(-1); at; at = path.at(-1)) {
      const edge = leaving.get(at.name)?.[at.next++];
      if (!edge) {
        state.set(at.name, 'done');
        finished.push(at.name);
        path.pop();
      } else if (state.get(edge[1]) === 'open') {
        closing.push(edge);
        const names = path.map(({ name }) => name);
        loop ??= [...names.slice(names.indexOf(edge[1])), edge[1]];
      } else if (!state.has(edge[1])) {
        state.set(edge[1], 'open');
        path.push({ name: edge[1], next: 0 });
      }
    }
  }
  return { order: finished.toReversed(), closing, loop };
}

function reaches(edges: readonly NirEdge[], from: string, to: string): boolean {
  const leaving = Map.groupBy(edges, ([source]) => source);
  const seen = new Set([from]);
  for (const name of seen) {
    if (name === to) return true;
    for (const [, target] of leaving.get(name) ?? []) seen.add(target);
  }
  return false;
}
