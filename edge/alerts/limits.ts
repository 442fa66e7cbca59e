/** How much there may be of each. */
export const ALERT_LIMITS = { rules: 200, silences: 1000, receivers: 50 } as const;
