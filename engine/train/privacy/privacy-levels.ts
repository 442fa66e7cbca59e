/** Levels of privacy by name; the last protects most. */
export const PRIVACY_LEVELS = ['none', 'low', 'medium', 'high'] as const;
export type PrivacyLevel = (typeof PRIVACY_LEVELS)[number];
