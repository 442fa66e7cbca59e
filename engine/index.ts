import { shaders } from '#shaders';
export const kernelCount: number = Object.keys(shaders).length;
