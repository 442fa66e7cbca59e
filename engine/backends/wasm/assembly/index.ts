/**
 * The kernels of the WASM backend. Each takes the address of its arguments, a range of items, and the
 * scratch memory of the thread that calls it; any split of the items gives the same digits.
 */
export { masked_product } from './masked-linear';
export { spike_linear_int8 } from './spike-linear-int8';
export { pack_panels, product } from './linear';
export { decode_events, pack_slabs, spike_product, spike_product_columns } from './spike-linear';
export { transpose_bits } from './transpose-bits';
export { lif_backward, lif_forward, lif_membrane, spike_count } from './neurons';
export { slot_spike_count } from './slots';
export { lif_membrane_backward, membrane_spike_count } from './leaky';
export { add, copy, fill, mean_steps_backward, sum_steps } from './memory';
export { column_sum, reduce_rows } from './columns';
export { embedding_backward, embedding_forward, token_chain } from './embedding';
export {
  layer_norm_backward_input,
  layer_norm_backward_parameters,
  layer_norm_forward,
} from './layer-norm';
export {
  rms_norm_backward_input,
  rms_norm_backward_parameters,
  rms_norm_forward,
} from './rms-norm';
export {
  token_shift_backward_input,
  token_shift_backward_mix,
  token_shift_forward,
  token_shift_step,
} from './shifts';
export { spike_attention_backward_scores, spike_attention_forward } from './attention';
export { spike_attention_backward } from './attention-backward';
export { spike_attention_step } from './attention-step';
export { readout_mix_backward, readout_mix_backward_mix, readout_mix_forward } from './readout';
export { cross_entropy_backward, cross_entropy_forward, mean_loss } from './loss';
export { adamw, gradient_norm, squared_norm } from './optimiser';
export {
  alif_step,
  entangled_step,
  izhikevich_euler_step,
  izhikevich_step,
  lif_integer_step,
  lif_reset_step,
  lif_step,
  mean_field,
} from './populations';
export { deliver_spikes } from './synapses';
export { advance_clock, inject_current, inject_noise, inject_poisson } from './stimuli';
export { count_spikes, record_spikes, record_state, replay_spikes } from './records';
export { dropout, random_spikes, random_uniform } from './random';
export { delay_features, integrate_fire } from './integrate-fire';
export { gelu_backward, gelu_forward, position_forward } from './transformer';
export {
  attention_scores,
  attention_values,
  causal_softmax_backward,
  causal_softmax_forward,
} from './softmax-attention';
export {
  evo_lif_backward,
  evo_lif_forward,
  evo_lif_membrane,
  neuron_backward,
  neuron_forward,
  neuron_membrane,
} from './neuron-layer';
export { integer_lif } from './integer-lif';
export { synchrony_backward, synchrony_forward } from './synchrony';
export { curve_backward, curve_forward } from './curves';
export { energy_gate, mask_gradient } from './energy';
export { reward_decay, reward_signal } from './reward';
export {
  channel_sum,
  conv2d_backward_input,
  conv2d_backward_weight,
  conv2d_forward,
} from './convolution';
export { pack_filters, spike_conv2d_forward } from './spike-convolution';
export { spike_conv2d_backward_weight } from './spike-convolution-weight';
export { pool2d_backward, pool2d_forward } from './pooling';
export { delay_steps, recurrent_lif_backward, recurrent_lif_forward } from './recurrent';
export {
  delta_decode,
  delta_encode,
  latency_decode,
  latency_encode,
  rate_decode,
  tas_decode,
  tas_encode,
} from './encoders';
export { gammatone_envelope } from './gammatone';
export { clipped_sum, hold_steps_backward, hold_steps_forward, private_gradient } from './senses';
export { distillation_backward, distillation_forward, softmax_rows } from './distillation';
export { cache_rows, cached_attention, signed_drive } from './cached-attention';
export { copy_rows } from './sequences';
export { distillation_backward, distillation_forward } from './distillation';
export { stdp_depress, stdp_potentiate, stdp_potentiate_dense } from './stdp';
export { bcm_threshold, bcm_update, reward_update, spike_trace } from './plasticity';
export { incoming_normalise, incoming_normalise_dense, synaptic_scaling } from './homeostasis';
export { competing_lif, lateral_inhibition } from './competition';
export { eprop_neurons, eprop_update, readout_error, select_step } from './eprop';
export {
  carried_attention_backward,
  carried_attention_forward,
  carried_attention_update,
} from './carried-attention';
export {
  carried_shift_backward,
  carried_shift_forward,
  clear_sequences,
  last_tokens,
} from './carried-shift';
export { decay_scores, relaxed_lif_backward, relaxed_lif_forward } from './relaxed';
export { sparse_linear_backward, sparse_linear_forward } from './sparse-linear';
export { event_scan_backward, event_scan_forward } from './event-scan';
export { event_mix_backward, event_mix_forward, expert_means, hebbian_update } from './event-mix';
export {
  expert_load,
  expert_mask_backward,
  expert_mask_forward,
  route_backward,
  route_forward,
} from './routing';
export {
  candidate_join_backward,
  candidate_join_forward,
  codebook_rows,
  draw_candidates,
} from './candidates';
export { running_mean_backward, running_mean_forward } from './running-mean';
