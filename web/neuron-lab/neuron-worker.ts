import { neuronModel } from '../../engine/index.ts';
import { answerCalls } from '../workers/calls.ts';
import { neuronHandlers } from './host/neuron-handlers.ts';

/** Neurons of the catalogue, one at a time: each answer takes a few milliseconds. */
answerCalls(neuronHandlers((name) => neuronModel(name)));
