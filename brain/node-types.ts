/** Modules that answer prompts. */
export const MODULE_TYPES = ['lang-main', 'visual', 'audio', 'motor'] as const;

/** Types of brain nodes. */
export const NODE_TYPES = ['pfc', ...MODULE_TYPES] as const;
export type NodeType = (typeof NODE_TYPES)[number];

/** Input modality of the types that run a model. */
export const READS = { 'lang-main': 'text', visual: 'image', audio: 'audio' } as const;

export type Reads = (typeof READS)[ModelType];

/** Types that run a model of the registry. */
export type ModelType = keyof typeof READS;

export const hasModel = (type: NodeType): type is ModelType => type in READS;
