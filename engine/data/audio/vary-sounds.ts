import { drawsFrom } from '../draws.ts';
import type { AudioFeatures } from './audio-examples.ts';
import { bandCentres, cosineTransform, featuresOf, type MelOptions } from './mel.ts';

/** How far voices and pace of the sounds that a network learns from are varied. */
const MAX_WARP = 0.16;
/** Warps of the frequencies, evenly spaced; odd, so that the middle one changes nothing. */
const WARPS = 17;
/** Fraction of a clip by which its first and its last frame are moved at most. */
const MAX_MOVE = 0.1;

/** The frames of an example, varied by four random words, in an array that the next call overwrites. */
export type SoundVariation = (example: number, words: Uint32Array) => Float32Array;

/**
 * Sounds as other speakers might have made them: all frequencies are multiplied by one factor, as by a longer or shorter
 * vocal tract (Jaitly & Hinton 2013), and beginning and end of the clip are moved, which also makes it faster or
 * slower.
 */
export function varySounds(
  { values, frames, features }: AudioFeatures,
  mel: MelOptions,
): SoundVariation {
  const warps = frequencyWarps(mel);
  const moved = new Float32Array(features);
  const varied = new Float32Array(frames * features);
  return (example, words) => {
    const draws = drawsFrom(words);
    const warp = warps[draws.below(warps.length)] ?? moved;
    const first = draws.uniform(-MAX_MOVE, MAX_MOVE);
    const last = 1 + draws.uniform(-MAX_MOVE, MAX_MOVE);
    const clip = values.subarray(example * frames * features, (example + 1) * frames * features);
    for (let frame = 0; frame < frames; frame++) {
      const share = first + ((last - first) * frame) / Math.max(1, frames - 1);
      readBetween(clip, share * (frames - 1), moved);
      multiply(moved, warp, varied.subarray(frame * features, (frame + 1) * features));
    }
    return varied;
  };
}

/** The frame at a place between two; beyond the ends those go on. */
function readBetween(clip: Float32Array, place: number, to: Float32Array): void {
  const last = clip.length / to.length - 1;
  const at = Math.min(last, Math.max(0, place));
  const before = Math.min(Math.floor(at), Math.max(0, last - 1));
  const part = at - before;
  const [from, next] = [before * to.length, Math.min(before + 1, last) * to.length];
  for (let i = 0; i < to.length; i++) {
    to[i] = (1 - part) * (clip[from + i] ?? 0) + part * (clip[next + i] ?? 0);
  }
}

/** A row times a square matrix. */
function multiply(row: Float32Array, matrix: Float32Array, to: Float32Array): void {
  to.fill(0);
  for (let i = 0, at = 0; i < row.length; i++) {
    const factor = row[i] ?? 0;
    for (let j = 0; j < to.length; j++, at++) to[j] = (to[j] ?? 0) + factor * (matrix[at] ?? 0);
  }
}

/**
 * Matrices `[features][features]` that multiply the frequencies of a frame by factors from 1 - 0.16 to 1 + 0.16:
 * the bands of its coefficients are read at other places and made coefficients again. What lies beyond the
 * highest band is as that band.
 */
function frequencyWarps(mel: MelOptions): readonly Float32Array[] {
  const centres = bandCentres(mel);
  return Array.from({ length: WARPS }, (_, i) => {
    const factor = 1 + MAX_WARP * ((2 * i) / (WARPS - 1) - 1);
    const places = Array.from(centres, (frequency) => placeAmong(centres, factor * frequency));
    return inFeatures(places, mel);
  });
}

/** Where a number lies among rising ones: 1.5 is halfway between the second and the third. */
function placeAmong(rising: Float64Array, value: number): number {
  const next = rising.findIndex((one) => one > value);
  if (next === 0) return 0;
  if (next < 0) return rising.length - 1;
  const [low = 0, high = 1] = rising.subarray(next - 1, next + 1);
  return next - 1 + (value - low) / (high - low);
}

/** The matrix of features that reads the bands at these places. */
function inFeatures(places: readonly number[], mel: MelOptions): Float32Array {
  const features = featuresOf(mel);
  const { bands, coefficients } = mel;
  const matrix = new Float32Array(features * features);
  const basis = coefficients === undefined ? undefined : cosineTransform(bands, features);
  const at = (band: number, feature: number) =>
    basis ? (basis[band * features + feature] ?? 0) : Number(band === feature);
  for (let from = 0; from < features; from++) {
    for (const [band, place] of places.entries()) {
      const low = Math.min(Math.floor(place), bands - 1);
      const part = place - low;
      const read = (1 - part) * at(low, from) + part * at(Math.min(low + 1, bands - 1), from);
      for (let to = 0; to < features; to++) {
        const cell = from * features + to;
        matrix[cell] = (matrix[cell] ?? 0) + read * at(band, to);
      }
    }
  }
  return matrix;
}
