/** Why an object of memories ends that is about to begin anew. */
export const RENEWED = 'The memory begins anew, as something was deleted for good.';
